#include "cli/wire.h"

namespace ebb::cli {

daemon::WireOptions ToWire(const NodeOptions& options) {
  return {.config = options.config,
          .config_given = options.config_given,
          .runtime_endpoint = options.runtime_endpoint,
          .image_endpoint = options.image_endpoint,
          .state_dir = options.state_dir,
          .node_path = options.pressure ? kKubeletDirectory : "",
          .flags = [options](image::Policy& policy) { return ApplyFlags(options, policy); }};
}

base::Result<Node> WireNode(const NodeOptions& options, const std::atomic<bool>& stop) {
  const auto wire = ToWire(options);
  auto config = daemon::ReadConfig(wire);
  if (!config.ok()) return config.error();
  return Node::Wire(wire, std::move(*config), stop);
}

base::Result<config::NodeConfig> ReadConfig(const NodeOptions& options) {
  return daemon::ReadConfig(ToWire(options));
}

}  // namespace ebb::cli
