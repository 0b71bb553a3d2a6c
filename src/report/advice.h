// What an operator can do about a verdict.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"

namespace ebb::report {

// What would have to change for a kept image to go or for a removal to stay, in one sentence.
std::string Advice(const image::Observation& seen, const image::Policy& policy,
                   const image::Verdict& verdict);

}  // namespace ebb::report
