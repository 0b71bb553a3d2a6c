// One pass of the daemon: look, decide for what presses most, and relieve it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/dead.h"
#include "engine/observe.h"
#include "engine/ports.h"
#include "image/demand.h"

namespace ebb::engine {

struct PassOptions {
  image::Policy policy;
  ObserveOptions observe;
  bool enforce = false;         // false: it is only said what would go (P9)
  bool recover = true;          // complete what a crash left, also if nothing presses
  std::size_t most = SIZE_MAX;  // images of this one run, below the policy's radius
  Stopped stopped = {};
  std::function<void()> progress = {};  // called after every batch
};

struct Pass {
  image::Observation seen;
  // What would go for the demand that was chosen; without one, for the marks. Cut to the radius.
  image::Plan plan;
  std::optional<image::Demand> demand;    // nullopt: nothing presses, or nothing helps against it
  image::DeadPlan dead;                   // containers, sandboxes and logs that were left behind
  std::optional<DeadReport> dead_report;  // nullopt: none of them was to go
  std::optional<image::Report> report;    // nullopt: nothing was tried
  std::string blocked;                    // who holds the run lock, if that kept us from acting
  std::vector<std::string> told;          // sentences for the log: names brought back after a crash
  base::Duration observing{};
  base::Duration planning{};
  base::Duration removing{};
};

// `demands` are what can be seen without asking the runtime, most pressing first; what the
// observation shows is added. The first demand that images can do something about is relieved.
// Fails if the runtime cannot be observed. That another ebb holds the run lock is no failure of the
// look: see Pass::blocked.
base::Result<Pass> RunPass(const Ports& ports, const PassOptions& options,
                           std::span<const image::Demand> demands);

}  // namespace ebb::engine
