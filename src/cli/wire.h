// The one place of the command line that knows every adapter: fills the ports for one run.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.h"
#include "config/endpoints.h"
#include "config/node_config.h"
#include "engine/observe.h"
#include "engine/ports.h"

namespace ebb::cli {

struct Adapters;

// A node as this run sees it: adapters behind ports, the policy, and what to tell the operator.
class Node {
 public:
  // kUsage for wrong configuration, kUnavailable if no runtime is found. `stop` ends a wait.
  static base::Result<Node> Wire(const NodeOptions& options, const std::atomic<bool>& stop);
  Node(Node&& other) noexcept;
  Node& operator=(Node&&) = delete;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  // One observation, with everything worth a warning added to it.
  base::Result<image::Observation> Observe();

  const engine::Ports& ports() const { return ports_; }
  const image::Policy& policy() const { return config_.policy; }
  const engine::ObserveOptions& observe_options() const { return observe_; }
  // Runtimes that answered although nobody named one: reading warns, removing refuses.
  const std::vector<std::string>& other_runtimes() const { return endpoints_.others; }

 private:
  Node();
  void Warn(std::string warning) { warnings_.push_back(std::move(warning)); }
  base::Status Connect(const std::vector<config::EndpointSource>& sources);
  void ConnectStore();
  void ConnectOtherStore(const base::Error& no_containerd);
  void OpenHistory();
  void FillPorts(const std::atomic<bool>& stop);

  config::NodeConfig config_;
  config::EndpointChoice endpoints_;
  engine::ObserveOptions observe_;
  engine::Ports ports_;
  std::vector<std::string> warnings_;
  std::unique_ptr<Adapters> adapters_;
};

// The effective configuration: file, then flags.
base::Result<config::NodeConfig> ReadConfig(const NodeOptions& options);

}  // namespace ebb::cli
