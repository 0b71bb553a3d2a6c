// `ebb status`: where the image disk goes, on one screen.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

// At most 25 lines as a table. `plan` is what `ebb collect` would do now, for the marks. Wide gives
// every class a line of its own and every message; name gives the mountpoints, one per line.
std::string RenderStatus(const image::Observation& seen, const image::Policy& policy,
                         const image::Plan& plan, const Style& style);

}  // namespace ebb::report
