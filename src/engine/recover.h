// What an interrupted run left held is completed before anything else is decided.
#pragma once

#include <string>
#include <vector>

#include "engine/observe.h"
#include "engine/ports.h"

namespace ebb::engine {

// Images that somebody has come to use, and images whose removal stopped half way, get their names
// back; the bytes of all others are freed. Returns a sentence for each image that was brought
// back. Requires the run lock. Without a holder there is nothing to do.
base::Result<std::vector<std::string>> CompleteLeftovers(const Ports& ports,
                                                         const ObserveOptions& options);

}  // namespace ebb::engine
