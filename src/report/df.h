// `ebb df`: what every image takes, alone and with others, and what removing them would bring back.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/plan.h"
#include "report/style.h"

namespace ebb::report {

// SIZE is all that an image holds, EXCLUSIVE what goes if it alone goes, SHARED the rest. What can
// be had back is neither the sum of the one nor of the other. The largest twenty, wide: all. Name
// gives full IDs.
std::string RenderDf(const image::Observation& seen, const image::Plan& plan, const Style& style);

}  // namespace ebb::report
