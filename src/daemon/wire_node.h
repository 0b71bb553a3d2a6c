// The one place that knows every adapter: fills the ports for one run, of a command or the daemon.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/endpoints.h"
#include "config/node_config.h"
#include "engine/events.h"
#include "engine/guard.h"
#include "engine/observe.h"
#include "engine/ports.h"

namespace ebb::history {
class SqliteHistory;
}

namespace ebb::daemon {

struct Adapters;

// What whoever starts us says before the configuration is read.
struct WireOptions {
  std::string config = "/etc/ebb/config.yaml";
  bool config_given = false;     // a file that was named must exist
  std::string runtime_endpoint;  // empty: as the environment and the file have it
  std::string image_endpoint;
  std::string state_dir;
  std::optional<std::string> listen;  // nullopt: as configured; empty: nowhere
  std::string node_path;              // the kubelet's directory, measured too; empty: not
  // Flags beat whatever the file says: called with the policy of the file.
  std::function<base::Status(image::Policy&)> flags;
  std::string command = "ebb collect";  // told to whoever finds the run lock held
};

// A node as this run sees it: adapters behind ports, the policy, and what to tell the operator.
class Node {
 public:
  // By `config`, which ReadConfig() made of the same options. kUnavailable if no runtime is found.
  // `stop` ends a wait. An open history of the same state directory is taken over: what it could
  // not write yet is not lost.
  static base::Result<Node> Wire(const WireOptions& options, config::NodeConfig config,
                                 const std::atomic<bool>& stop,
                                 std::shared_ptr<history::SqliteHistory> history = nullptr);
  Node(Node&& other) noexcept;
  Node& operator=(Node&&) = delete;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  // One observation, with everything worth a warning added to it.
  base::Result<image::Observation> Observe();

  // What the runtime tells by itself; null where nothing may be heard without taking it from
  // others.
  std::unique_ptr<engine::EventSource> Listen(engine::EventHandlers handlers) const;

  // What the guard works with; nullopt where names cannot be guarded.
  std::optional<engine::GuardPorts> guard_ports() const;
  // By mode and configuration.
  bool guards() const;

  const engine::Ports& ports() const { return ports_; }
  std::shared_ptr<history::SqliteHistory> history() const;  // null: it can be opened nowhere
  // About the wiring: what is not as it should be on this node. One sentence each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const config::NodeConfig& config() const { return config_; }
  const image::Policy& policy() const { return config_.policy; }
  const engine::ObserveOptions& observe_options() const { return observe_; }
  // Runtimes that answered although nobody named one: reading warns, removing refuses.
  const std::vector<std::string>& other_runtimes() const { return endpoints_.others; }

 private:
  Node();
  void Warn(std::string warning) { warnings_.push_back(std::move(warning)); }
  base::Status Connect(const std::vector<config::EndpointSource>& sources);
  void ConnectStore();
  void ConnectGuard();
  void ConnectOtherStore(const base::Error& no_containerd);
  void FindPods(const std::string& kubelets_name);
  void OpenHistory(std::shared_ptr<history::SqliteHistory> history);
  void FillPorts(const std::string& command, const std::atomic<bool>& stop);

  config::NodeConfig config_;
  config::EndpointChoice endpoints_;
  engine::ObserveOptions observe_;
  engine::Ports ports_;
  std::vector<std::string> warnings_;
  std::unique_ptr<Adapters> adapters_;
};

// How long one batch of removals may last at most: its waves of calls, each as slow as allowed.
base::Duration LongestBatch(const config::NodeConfig& config);

// The effective configuration: file, then flags. kUsage for what is wrong.
base::Result<config::NodeConfig> ReadConfig(const WireOptions& options);

}  // namespace ebb::daemon
