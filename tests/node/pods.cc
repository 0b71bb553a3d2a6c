#include "node/pods.h"

#include <thread>

#include "node/isolation.h"
#include "node/pods_stubs.h"

namespace ebb::node {
namespace {

constexpr std::chrono::milliseconds kPause(10);
constexpr std::chrono::seconds kPatience(30);

// What the kubelet would send; CreateContainer repeats it.
cri::PodSandboxConfig SandboxConfig(const std::string& name) {
  cri::PodSandboxConfig config;
  config.mutable_metadata()->set_name(name);
  config.mutable_metadata()->set_uid("uid-" + name);
  config.mutable_metadata()->set_namespace_("default");
  auto& labels = *config.mutable_labels();
  labels["io.kubernetes.pod.name"] = name;
  labels["io.kubernetes.pod.namespace"] = "default";
  labels["io.kubernetes.pod.uid"] = "uid-" + name;
  config.mutable_linux()->set_cgroup_parent(CgroupParent());
  config.mutable_linux()->mutable_security_context()->mutable_namespace_options()->set_network(
      cri::NODE);
  return config;
}

cri::ContainerConfig Config(const Pod& pod, const ContainerSpec& spec) {
  cri::ContainerConfig config;
  config.mutable_metadata()->set_name(spec.name);
  config.mutable_image()->set_image(spec.image);
  for (const std::string& word : spec.command) config.add_command(word);
  for (const MountSpec& mount : spec.mounts) {
    cri::Mount& added = *config.add_mounts();
    added.set_container_path(mount.container_path);
    added.set_host_path(mount.host_path);
    if (!mount.image.empty()) added.mutable_image()->set_image(mount.image);
  }
  auto& labels = *config.mutable_labels();
  labels.insert(spec.labels.begin(), spec.labels.end());
  labels["io.kubernetes.container.name"] = spec.name;
  labels["io.kubernetes.pod.name"] = pod.name;
  labels["io.kubernetes.pod.namespace"] = "default";
  labels["io.kubernetes.pod.uid"] = "uid-" + pod.name;
  config.mutable_linux()->mutable_security_context()->mutable_namespace_options()->set_network(
      cri::NODE);
  return config;
}

}  // namespace

Pods::Pods(const std::string& endpoint) : stubs_(std::make_unique<Stubs>()) {
  grpc::ChannelArguments arguments;
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(-1);
  // A runtime that was killed and started again is found again at once.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, static_cast<int>(kPause.count()));
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, static_cast<int>(kPause.count()));
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, static_cast<int>(kPause.count()));
  const std::shared_ptr<grpc::Channel> channel =
      grpc::CreateCustomChannel(endpoint, grpc::InsecureChannelCredentials(), arguments);
  stubs_->runtime = cri::RuntimeService::NewStub(channel);
  stubs_->image = cri::ImageService::NewStub(channel);
}

Pods::~Pods() = default;

base::Status Pods::WaitReady() {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    // Not Version: containerd answers that before it has read its pods back.
    const auto status =
        Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::Status, cri::StatusRequest());
    if (status.ok()) return base::Done{};
    if (std::chrono::steady_clock::now() > give_up) return status.error().In("wait for CRI");
    std::this_thread::sleep_for(kPause);
  }
}

base::Result<Pod> Pods::RunPod(const std::string& name) {
  cri::RunPodSandboxRequest request;
  *request.mutable_config() = SandboxConfig(name);
  const auto answer =
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::RunPodSandbox, request);
  if (!answer.ok()) return answer.error().In("pod " + name);
  return Pod{name, answer->pod_sandbox_id()};
}

base::Status Pods::StopPod(const std::string& pod_id) {
  cri::StopPodSandboxRequest request;
  request.set_pod_sandbox_id(pod_id);
  return WithoutValue(
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::StopPodSandbox, request));
}

base::Status Pods::RemovePod(const std::string& pod_id) {
  cri::RemovePodSandboxRequest request;
  request.set_pod_sandbox_id(pod_id);
  return WithoutValue(
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::RemovePodSandbox, request));
}

base::Result<std::vector<Pod>> Pods::ReadyPods() {
  const auto answer = Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::ListPodSandbox,
                           cri::ListPodSandboxRequest());
  if (!answer.ok()) return answer.error();
  std::vector<Pod> pods;
  for (const cri::PodSandbox& pod : answer->items()) {
    if (pod.state() == cri::SANDBOX_READY) pods.push_back({pod.metadata().name(), pod.id()});
  }
  return pods;
}

base::Result<std::string> Pods::CreateContainer(const Pod& pod, const ContainerSpec& spec) {
  cri::CreateContainerRequest request;
  request.set_pod_sandbox_id(pod.id);
  *request.mutable_config() = Config(pod, spec);
  *request.mutable_sandbox_config() = SandboxConfig(pod.name);
  const auto answer =
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::CreateContainer, request);
  if (!answer.ok()) return answer.error().In("container " + spec.name);
  return answer->container_id();
}

base::Status Pods::StartContainer(const std::string& id) {
  cri::StartContainerRequest request;
  request.set_container_id(id);
  return WithoutValue(
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::StartContainer, request));
}

base::Status Pods::StopContainer(const std::string& id) {
  cri::StopContainerRequest request;
  request.set_container_id(id);
  request.set_timeout(1);
  return WithoutValue(
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::StopContainer, request));
}

base::Status Pods::RemoveContainer(const std::string& id) {
  cri::RemoveContainerRequest request;
  request.set_container_id(id);
  return WithoutValue(
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::RemoveContainer, request));
}

base::Result<ContainerState> Pods::StateOf(const std::string& id) {
  cri::ContainerStatusRequest request;
  request.set_container_id(id);
  const auto answer =
      Call(stubs_->runtime.get(), &cri::RuntimeService::Stub::ContainerStatus, request);
  if (!answer.ok()) return answer.error();
  switch (answer->status().state()) {
    case cri::CONTAINER_CREATED: return ContainerState::kCreated;
    case cri::CONTAINER_RUNNING: return ContainerState::kRunning;
    case cri::CONTAINER_EXITED: return ContainerState::kExited;
    default: return ContainerState::kUnknown;
  }
}

}  // namespace ebb::node
