// One log line for each decision.
#pragma once

#include <set>
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

// What keeps a pass from doing more, gravest first: doubts, who holds the run lock, a target out of
// reach, notes of the plan, warnings of the observation.
std::vector<std::string> TellTrouble(const engine::Pass& pass);

// What is true for months is told once.
class News {
 public:
  // Of `lines` those that the last call did not have, whatever numbers stand in them.
  std::vector<std::string> Fresh(std::vector<std::string> lines);

 private:
  std::set<std::string> last_;  // without digits
};

}  // namespace ebb::daemon
