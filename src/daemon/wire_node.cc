#include "daemon/wire_node.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "config/crictl_config.h"
#include "containerd/connect.h"
#include "containerd/events.h"
#include "containerd/holder.h"
#include "containerd/records.h"
#include "containerd/store.h"
#include "cri/connect.h"
#include "cri/dead.h"
#include "cri/remover.h"
#include "cri/runtime.h"
#include "crio/store.h"
#include "daemon/kubelet.h"
#include "daemon/pod_source.h"
#include "engine/collect.h"
#include "history/history.h"
#include "host/clock.h"
#include "host/evidence.h"
#include "host/filesystems.h"
#include "host/guard_files.h"
#include "host/kubelet_pulls.h"
#include "host/log.h"
#include "host/own_image.h"
#include "host/pod_logs.h"
#include "host/run_lock.h"
#include "host/small_file.h"
#include "image/protection.h"
#include "image/use.h"

namespace ebb::daemon {
namespace {

constexpr const char* kCrictlConfig = "/etc/crictl.yaml";

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

config::EndpointSource CrictlSource(std::vector<std::string>& warnings) {
  config::EndpointSource source{.name = kCrictlConfig, .runtime = {}, .image = {}};
  const auto text = host::ReadSmallFile(kCrictlConfig);
  if (!text.ok()) return source;
  const auto crictl = config::ParseCrictlConfig(*text, kCrictlConfig);
  if (crictl.ok()) {
    source.runtime = crictl->runtime_endpoint;
    source.image = crictl->image_endpoint;
  } else {
    warnings.push_back(crictl.error().message);
  }
  return source;
}

constexpr auto kProbeTime = std::chrono::seconds(2);

config::NodeView ThisNode() {
  return {
      .probe = [](const std::string& endpoint) { return cri::Probe(endpoint, kProbeTime).ok(); },
      .real_path =
          [](const std::string& path) {
            std::error_code missing;
            return std::filesystem::canonical(path, missing).string();
          }};
}

}  // namespace

struct Adapters {
  host::SystemClock clock;
  host::StreamLog log{STDERR_FILENO, host::SuitableFormat(STDERR_FILENO), engine::Log::Level::kInfo,
                      clock};
  host::SystemFilesystems filesystems;
  host::KubeletPullRecords evidence;
  host::KubeletPulls pulls;
  std::unique_ptr<engine::Runtime> runtime;
  std::unique_ptr<engine::Remover> remover;
  std::unique_ptr<engine::StoreReader> store;
  std::unique_ptr<engine::Holder> holder;
  std::unique_ptr<engine::ImageRecords> records;
  std::unique_ptr<host::GuardFiles> guard;
  std::unique_ptr<engine::ContainerRemover> containers;
  std::vector<std::unique_ptr<engine::PodSource>> pods;
  host::PodLogs logs;
  std::shared_ptr<containerd::Connection> containerd;  // null: another runtime
  std::shared_ptr<history::SqliteHistory> history;
  std::unique_ptr<host::FileRunLock> lock;
};

base::Result<config::NodeConfig> ReadConfig(const WireOptions& options) {
  config::NodeConfig config;
  const auto text = host::ReadSmallFile(options.config);
  if (text.ok()) {
    auto parsed = config::ParseNodeConfig(*text, options.config);
    if (!parsed.ok()) return parsed.error();
    config = std::move(*parsed);
  } else if (options.config_given || text.error().code != base::ErrorCode::kNotFound) {
    return base::Error{base::ErrorCode::kUsage, text.error().In("configuration").message};
  }
  if (!options.state_dir.empty()) config.state_directory = options.state_dir;
  if (options.listen) config.listen = *options.listen;
  if (options.flags) {
    auto applied = options.flags(config.policy);
    if (!applied.ok()) return applied.error();
  }
  return config;
}

base::Duration LongestBatch(const config::NodeConfig& config) {
  const auto largest = static_cast<int>(engine::CollectOptions{}.max_batch);
  const int waves = (largest + config.removals_in_flight - 1) / config.removals_in_flight;
  return waves * config.removal_timeout;
}

Node::Node() : adapters_(std::make_unique<Adapters>()) {}
Node::Node(Node&& other) noexcept = default;
Node::~Node() = default;

base::Result<Node> Node::Wire(const WireOptions& options, config::NodeConfig config,
                              const std::atomic<bool>& stop,
                              std::shared_ptr<history::SqliteHistory> history) {
  Node node;
  node.config_ = std::move(config);
  const auto kubelet = ReadKubelet(node.warnings_);
  if (kubelet) node.config_.policy.marks.kubelet = kubelet->thresholds;

  std::vector<config::EndpointSource> sources = {
      {"--runtime-endpoint", options.runtime_endpoint, options.image_endpoint},
      {"CONTAINER_RUNTIME_ENDPOINT", Environment("CONTAINER_RUNTIME_ENDPOINT"),
       Environment("IMAGE_SERVICE_ENDPOINT")},
      {options.config, node.config_.runtime_endpoint, node.config_.image_endpoint}};
  if (kubelet) {
    sources.push_back(
        {"the kubelet's configuration", kubelet->runtime_endpoint, kubelet->image_endpoint});
  }
  sources.push_back(CrictlSource(node.warnings_));
  if (auto connected = node.Connect(sources); !connected.ok()) return connected.error();
  node.FindPods(kubelet ? kubelet->node_name : "");
  node.OpenHistory(std::move(history));
  node.ConnectStore();
  node.ConnectGuard();
  node.observe_.node_path = options.node_path;
  node.FillPorts(options.command, stop);
  return node;
}

base::Status Node::Connect(const std::vector<config::EndpointSource>& sources) {
  auto choice = config::ChooseEndpoints(sources, ThisNode());
  if (!choice.ok()) return choice.error();
  endpoints_ = std::move(*choice);
  for (const std::string& other : endpoints_.others) {
    Warn("another container runtime answers at " + other + "; this is about " + endpoints_.runtime +
         ", name one with --runtime-endpoint");
  }
  auto connection = cri::Connect({.runtime = endpoints_.runtime, .image = endpoints_.image},
                                 {.removal_timeout = config_.removal_timeout,
                                  .removals_in_flight = config_.removals_in_flight});
  if (!connection.ok()) return connection.error();
  adapters_->runtime = cri::MakeRuntime(*connection);
  adapters_->containers = cri::MakeContainerRemover(*connection);
  adapters_->remover = cri::MakeRemover(*connection);
  return base::Done{};
}

// CRI-O's store is read from this node's disk; a containerd that hides its own is worth a word.
void Node::ConnectOtherStore(const base::Error& no_containerd) {
  const auto about = adapters_->runtime->Identify();
  if (!about.ok()) return;
  if (about->runtime.name == "containerd") {
    return Warn(no_containerd.In("bytes are estimated, and removals are not held").message);
  }
  if (about->runtime.name != "cri-o") return;
  const auto storage = adapters_->runtime->Storage();
  if (!storage.ok()) return;
  crio::Options options;
  for (const engine::StoragePath& path : *storage) {
    if (path.holds_images) options.image_path = path.mountpoint;
    if (path.holds_containers) options.container_path = path.mountpoint;
  }
  adapters_->store = crio::MakeStoreReader(options);
}

// containerd's own API, where it answers on the socket of both services.
void Node::ConnectStore() {
  if (endpoints_.image != endpoints_.runtime) return;
  auto connection = containerd::Connect(
      endpoints_.runtime,
      {.connect_timeout = kProbeTime, .release_timeout = config_.removal_timeout});
  if (!connection.ok()) return;
  const auto daemon = containerd::Probe(**connection);
  if (!daemon.ok()) return ConnectOtherStore(daemon.error());
  adapters_->containerd = *connection;
  adapters_->store = containerd::MakeStoreReader(*connection);
  // Whoever shares the directory shares the lock.
  adapters_->holder = containerd::MakeHolder(
      *connection, {.owner = host::IdentityOf(config_.state_directory),
                    .lifetime = std::chrono::minutes(10) + LongestBatch(config_)});
}

// Looked for once more: the state directory may have been made since, and gives the identity.
void Node::ConnectGuard() {
  if (adapters_->containerd == nullptr) return;
  adapters_->records = containerd::MakeImageRecords(adapters_->containerd,
                                                    host::IdentityOf(config_.state_directory));
  adapters_->guard = std::make_unique<host::GuardFiles>(config_.state_directory, adapters_->clock);
}

std::optional<engine::GuardPorts> Node::guard_ports() const {
  if (adapters_->records == nullptr) return std::nullopt;
  return engine::GuardPorts{adapters_->clock, *adapters_->runtime, *adapters_->records,
                            *adapters_->guard};
}

bool Node::guards() const {
  if (config_.guard == config::GuardMode::kAuto) return config_.mode == config::Mode::kEnforce;
  return config_.guard == config::GuardMode::kOn;
}

void Node::OpenHistory(std::shared_ptr<history::SqliteHistory> history) {
  if (history != nullptr && history->directory() == config_.state_directory) {
    adapters_->history = std::move(history);
    return;
  }
  auto opened = history::SqliteHistory::OpenOrKeep({.directory = config_.state_directory});
  if (!opened.ok()) return Warn(opened.error().message);
  adapters_->history = std::move(*opened);
}

std::shared_ptr<history::SqliteHistory> Node::history() const {
  return adapters_->history;
}

void Node::FillPorts(const std::string& command, const std::atomic<bool>& stop) {
  adapters_->lock = std::make_unique<host::FileRunLock>(
      host::RunLockOptions{.directory = config_.state_directory, .command = command, .stop = &stop},
      adapters_->clock);
  observe_.sandbox_images = config_.sandbox_images;
  observe_.own_container = host::OwnContainerId();
  if (endpoints_.image != endpoints_.runtime) observe_.image_endpoint = endpoints_.image;
  ports_ = {.clock = &adapters_->clock,
            .log = &adapters_->log,
            .runtime = adapters_->runtime.get(),
            .remover = adapters_->remover.get(),
            .filesystems = &adapters_->filesystems,
            .history = adapters_->history.get(),
            .lock = adapters_->lock.get(),
            .evidence = &adapters_->evidence,
            .store = adapters_->store.get(),
            .holder = adapters_->holder.get(),
            .records = adapters_->records.get(),
            .guard = adapters_->guard.get(),
            .pulls = &adapters_->pulls,
            .containers = adapters_->containers.get(),
            .logs = &adapters_->logs};
  for (const auto& source : adapters_->pods) ports_.pods.push_back(source.get());
}

void Node::FindPods(const std::string& kubelets_name) {
  const std::string name = FindNodeName(config_.node_name, kubelets_name);
  for (const config::PodSourceConfig& source : config_.pod_sources) {
    adapters_->pods.push_back(MakePodSource(source, name, adapters_->clock));
  }
}

std::unique_ptr<engine::EventSource> Node::Listen(engine::EventHandlers handlers) const {
  if (adapters_->containerd == nullptr) return nullptr;
  return containerd::Listen(adapters_->containerd, std::move(handlers));
}

base::Result<image::Observation> Node::Observe() {
  auto seen = engine::Observe(ports_, observe_);
  if (!seen.ok()) return seen;
  seen->runtime.endpoint = endpoints_.runtime;
  seen->warnings.insert(seen->warnings.begin(), warnings_.begin(), warnings_.end());
  if (adapters_->history != nullptr) {
    std::ranges::copy(adapters_->history->notes(), std::back_inserter(seen->warnings));
  }
  for (const std::string& pattern : image::IdlePatterns(*seen, config_.policy)) {
    seen->warnings.push_back("protect rule '" + pattern + "' matches no image");
  }
  return seen;
}

}  // namespace ebb::daemon
