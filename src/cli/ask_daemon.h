// What the daemon of this node knows, for whoever may not ask the runtime.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/options.h"

namespace ebb::cli {

// The daemon's own answer to `ebb status` with these options, over the address that the
// configuration has it listen on. kUnavailable if there is none.
base::Result<std::string> AskDaemon(const Options& options);

}  // namespace ebb::cli
