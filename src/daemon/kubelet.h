// What this node's kubelet is configured to do, put together from its process and its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/kubelet_config.h"

namespace ebb::daemon {

// nullopt: there is no trace of a kubelet. What cannot be read is a warning, and then the
// kubelet's defaults count.
std::optional<config::KubeletFacts> ReadKubelet(std::vector<std::string>& warnings);

}  // namespace ebb::daemon
