// `ebb status --pressure`: how far each filesystem is from what anybody does about it.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

// The marks and thresholds of ours and those at which the kubelet evicts pods, the nearest first.
std::string RenderPressure(const image::Observation& seen, const image::Policy& policy,
                           const Style& style);

}  // namespace ebb::report
