// From the options of the command line to a node with all its adapters.
#pragma once

#include "cli/options.h"
#include "daemon/wire_node.h"

namespace ebb::cli {

using daemon::Node;

// Where every kubelet keeps its own files unless it is told otherwise.
inline constexpr const char* kKubeletDirectory = "/var/lib/kubelet";

daemon::WireOptions ToWire(const NodeOptions& options);

// See daemon::Node::Wire.
base::Result<Node> WireNode(const NodeOptions& options, const std::atomic<bool>& stop);

// The effective configuration: file, then flags.
base::Result<config::NodeConfig> ReadConfig(const NodeOptions& options);

}  // namespace ebb::cli
