// `ebb dead`: containers, sandboxes and logs that were left behind, and why each stays or goes.
#pragma once

#include <string>

#include "image/dead.h"
#include "image/observation.h"
#include "report/style.h"

namespace ebb::report {

// What goes stands first. The first fifty dead things, wide: everything, what is alive too. Name
// gives the IDs of all that goes or would go.
std::string RenderDead(const image::Observation& seen, const image::DeadPlan& plan,
                       const Style& style);

}  // namespace ebb::report
