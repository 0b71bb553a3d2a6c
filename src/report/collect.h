// `ebb collect`, afterwards: what went, what stayed, and what the disk says about it.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/report.h"
#include "report/style.h"

namespace ebb::report {

// `seen` is the observation the plan was made from. Predicted bytes stand beside measured ones;
// every reason why something was not removed is told once, however many images it concerns. Name
// gives the full IDs of what was removed, one per line.
std::string RenderReport(const image::Observation& seen, const image::Report& report,
                         const Style& style);

}  // namespace ebb::report
