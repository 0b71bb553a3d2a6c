// `ebb run`: the daemon.
#pragma once

#include <atomic>
#include <string>

#include "base/result.h"
#include "daemon/wire_node.h"

namespace ebb::daemon {

struct RunOptions {
  WireOptions wire;
  std::string version;
};

// Looks after the node until `stop` is set; the batch in flight is then finished and recorded.
// Fails only before it has begun: kUsage for a wrong configuration. A runtime that does not answer,
// now or later, is waited for. Call once, from the thread that handles signals.
base::Status Run(const RunOptions& options, const std::atomic<bool>& stop);

}  // namespace ebb::daemon
