#include "node/containerd_config.h"

namespace ebb::node {
namespace {

// The optional plugins left out would touch folders of the machine or warn about missing tools.
std::string Daemon(const std::string& directory) {
  return R"(version = 2
root = ")" +
         directory + R"(/root"
state = ")" +
         directory + R"(/state"
oom_score = 0
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs"]
[grpc]
  address = ")" +
         directory + R"(/containerd.sock"
[ttrpc]
  address = ""
)";
}

// restrict_oom_score_adj: without CAP_SYS_RESOURCE runc may not lower a score, and dies trying.
std::string Cri(const ContainerdOptions& options) {
  return R"([plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ")" +
         options.sandbox_image + R"("
  stats_collect_period = )" +
         std::to_string(options.stats_period) + R"(
  disable_tcp_service = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  enable_selinux = false
  disable_apparmor = true
  restrict_oom_score_adj = true
  disable_hugetlb_controller = true
  tolerate_missing_hugetlb_controller = true
)";
}

std::string Runtime(const std::string& directory, const ContainerdOptions& options) {
  return R"([plugins."io.containerd.grpc.v1.cri".containerd]
  snapshotter = "overlayfs"
  default_runtime_name = "runc"
  discard_unpacked_layers = )" +
         std::string(options.discard_unpacked_layers ? "true" : "false") + R"(
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      Root = ")" +
         directory + R"(/runc"
      SystemdCgroup = false
)";
}

std::string Outside(const std::string& directory) {
  return R"([plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = ")" +
         directory + R"(/cni/bin"
  conf_dir = ")" +
         directory + R"(/cni/conf"
[plugins."io.containerd.grpc.v1.cri".registry]
  config_path = ")" +
         directory + R"(/registries"
)";
}

}  // namespace

std::string ContainerdConfig(const std::string& directory, const ContainerdOptions& options) {
  return Daemon(directory) + Cri(options) + Runtime(directory, options) + Outside(directory);
}

}  // namespace ebb::node
