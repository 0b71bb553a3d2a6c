// One log line for each decision.
#pragma once

#include <string>
#include <vector>

#include "engine/pass.h"

namespace ebb::daemon {

// What a run did: one line for each removal and one for the whole, with reason codes, predicted and
// measured bytes.
std::vector<std::string> TellRun(const image::Observation& seen, const image::Demand& demand,
                                 const image::Report& report);

// What became of containers, sandboxes and logs that were left behind, one line for each.
std::vector<std::string> TellDead(const image::DeadPlan& plan, const engine::DeadReport& report);

// What would be done, where nothing may be: `why` says who keeps us from it.
std::vector<std::string> TellPlan(const image::Observation& seen, const image::Demand& demand,
                                  const image::Plan& plan, std::string_view why);

}  // namespace ebb::daemon
