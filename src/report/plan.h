// `ebb plan`: what would go, in order, and what each step would free.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

// A waterfall: every removal with its marginal and summed bytes and the use of the disk after it,
// a line where the target is reached, and what is kept, by reason (wide: every kept image). Name
// gives the full IDs of the removals, one per line.
std::string RenderPlan(const image::Observation& seen, const image::Policy& policy,
                       const image::Plan& plan, const Style& style);

}  // namespace ebb::report
