// RuntimeService of a CriServer.
#include "cri.grpc.pb.h"
#include "wire/cri_services.h"

namespace ebb::wire {

namespace {

namespace v1 = runtime::v1;

v1::ContainerState ToWire(image::ContainerState state) {
  switch (state) {
    case image::ContainerState::kCreated: return v1::CONTAINER_CREATED;
    case image::ContainerState::kRunning: return v1::CONTAINER_RUNNING;
    case image::ContainerState::kExited: return v1::CONTAINER_EXITED;
    case image::ContainerState::kUnknown: break;
  }
  return v1::CONTAINER_UNKNOWN;
}

std::int64_t Nanoseconds(base::TimePoint time) {
  return time.time_since_epoch().count();
}

v1::Container ToWire(const image::Container& container, std::size_t padding) {
  v1::Container wire;
  wire.set_id(container.id);
  wire.set_pod_sandbox_id(container.sandbox_id);
  wire.mutable_metadata()->set_name(container.name);
  if (!container.image_name.empty()) wire.mutable_image()->set_image(container.image_name);
  wire.set_image_ref(container.image_ref);
  wire.set_image_id(container.image_id);
  wire.set_state(ToWire(container.state));
  wire.set_created_at(Nanoseconds(container.created_at));
  auto& labels = *wire.mutable_labels();
  labels["io.kubernetes.container.name"] = container.name;
  labels["io.kubernetes.pod.name"] = container.pod_name;
  labels["io.kubernetes.pod.namespace"] = container.pod_namespace;
  labels["io.kubernetes.pod.uid"] = container.pod_uid;
  if (padding > 0) (*wire.mutable_annotations())["padding"] = std::string(padding, 'x');
  return wire;
}

v1::PodSandbox ToWire(const image::Sandbox& sandbox) {
  v1::PodSandbox wire;
  wire.set_id(sandbox.id);
  wire.mutable_metadata()->set_name(sandbox.pod_name);
  wire.mutable_metadata()->set_namespace_(sandbox.pod_namespace);
  wire.mutable_metadata()->set_uid(sandbox.pod_uid);
  wire.set_state(sandbox.ready ? v1::SANDBOX_READY : v1::SANDBOX_NOTREADY);
  wire.set_created_at(Nanoseconds(sandbox.created_at));
  return wire;
}

class RuntimeService final : public v1::RuntimeService::Service {
 public:
  explicit RuntimeService(CriState& state) : state_(state) {}

  grpc::Status Version(grpc::ServerContext* context, const v1::VersionRequest*,
                       v1::VersionResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "Version"); !entered.ok()) return entered;
    response->set_version("0.1.0");
    response->set_runtime_name(state_.node.profile().runtime_name);
    response->set_runtime_version(state_.node.profile().runtime_version);
    response->set_runtime_api_version("v1");
    return grpc::Status::OK;
  }

  grpc::Status Status(grpc::ServerContext* context, const v1::StatusRequest* request,
                      v1::StatusResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "Status"); !entered.ok()) return entered;
    for (const char* type : {"RuntimeReady", "NetworkReady"}) {
      v1::RuntimeCondition& condition = *response->mutable_status()->add_conditions();
      condition.set_type(type);
      condition.set_status(true);
    }
    if (request->verbose()) (*response->mutable_info())["config"] = StatusJson(state_.node);
    return grpc::Status::OK;
  }

  grpc::Status ListContainers(grpc::ServerContext* context, const v1::ListContainersRequest*,
                              v1::ListContainersResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "ListContainers"); !entered.ok()) {
      return entered;
    }
    for (const image::Container& container : state_.node.ListContainers()) {
      *response->add_containers() = ToWire(container, state_.padding);
    }
    return grpc::Status::OK;
  }

  grpc::Status StreamContainers(grpc::ServerContext* context,
                                const v1::StreamContainersRequest* request,
                                grpc::ServerWriter<v1::StreamContainersResponse>* writer) override {
    if (!state_.node.profile().streams) {
      return v1::RuntimeService::Service::StreamContainers(context, request, writer);
    }
    if (grpc::Status entered = Enter(state_, *context, "StreamContainers"); !entered.ok()) {
      return entered;
    }
    for (const image::Container& container : state_.node.ListContainers()) {
      v1::StreamContainersResponse response;
      *response.add_containers() = ToWire(container, state_.padding);
      writer->Write(response);
    }
    return grpc::Status::OK;
  }

  grpc::Status ContainerStatus(grpc::ServerContext* context,
                               const v1::ContainerStatusRequest* request,
                               v1::ContainerStatusResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "ContainerStatus"); !entered.ok()) {
      return entered;
    }
    const auto volumes = state_.node.VolumesOf(request->container_id());
    if (!volumes) {
      return {grpc::StatusCode::NOT_FOUND,
              "container \"" + request->container_id() + "\" not found"};
    }
    v1::ContainerStatus& status = *response->mutable_status();
    status.set_id(request->container_id());
    const auto state = state_.node.StateOf(request->container_id());
    status.set_state(ToWire(state.value_or(image::ContainerState::kUnknown)));
    status.set_log_path("/var/log/pods/" + request->container_id() + "/0.log");
    status.add_mounts()->set_host_path("/var/lib/kubelet/pods/etc-hosts");
    for (const std::string& volume : *volumes) {
      status.add_mounts()->mutable_image()->set_image(volume);
    }
    return grpc::Status::OK;
  }

  grpc::Status ListPodSandbox(grpc::ServerContext* context, const v1::ListPodSandboxRequest*,
                              v1::ListPodSandboxResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "ListPodSandbox"); !entered.ok()) {
      return entered;
    }
    for (const image::Sandbox& sandbox : state_.node.ListSandboxes()) {
      *response->add_items() = ToWire(sandbox);
    }
    return grpc::Status::OK;
  }

  grpc::Status StreamPodSandboxes(
      grpc::ServerContext* context, const v1::StreamPodSandboxesRequest* request,
      grpc::ServerWriter<v1::StreamPodSandboxesResponse>* writer) override {
    if (!state_.node.profile().streams) {
      return v1::RuntimeService::Service::StreamPodSandboxes(context, request, writer);
    }
    if (grpc::Status entered = Enter(state_, *context, "StreamPodSandboxes"); !entered.ok()) {
      return entered;
    }
    for (const image::Sandbox& sandbox : state_.node.ListSandboxes()) {
      v1::StreamPodSandboxesResponse response;
      *response.add_pod_sandboxes() = ToWire(sandbox);
      writer->Write(response);
    }
    return grpc::Status::OK;
  }

  grpc::Status PodSandboxStatus(grpc::ServerContext* context,
                                const v1::PodSandboxStatusRequest* request,
                                v1::PodSandboxStatusResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "PodSandboxStatus"); !entered.ok()) {
      return entered;
    }
    const auto image = state_.node.ImageOfSandbox(request->pod_sandbox_id());
    if (!image) {
      return {grpc::StatusCode::NOT_FOUND,
              "sandbox \"" + request->pod_sandbox_id() + "\" not found"};
    }
    response->mutable_status()->set_id(request->pod_sandbox_id());
    if (request->verbose()) (*response->mutable_info())["info"] = SandboxStatusJson(*image);
    return grpc::Status::OK;
  }

  grpc::Status RemoveContainer(grpc::ServerContext* context,
                               const v1::RemoveContainerRequest* request,
                               v1::RemoveContainerResponse*) override {
    if (grpc::Status entered = Enter(state_, *context, "RemoveContainer"); !entered.ok()) {
      return entered;
    }
    state_.node.RemoveContainer(request->container_id());
    return grpc::Status::OK;
  }

  grpc::Status StopPodSandbox(grpc::ServerContext* context,
                              const v1::StopPodSandboxRequest* request,
                              v1::StopPodSandboxResponse*) override {
    if (grpc::Status entered = Enter(state_, *context, "StopPodSandbox"); !entered.ok()) {
      return entered;
    }
    const std::string& id = request->pod_sandbox_id();
    if (state_.node.StateOf(id)) state_.node.SetState(id, image::ContainerState::kExited);
    return grpc::Status::OK;
  }

  grpc::Status RemovePodSandbox(grpc::ServerContext* context,
                                const v1::RemovePodSandboxRequest* request,
                                v1::RemovePodSandboxResponse*) override {
    if (grpc::Status entered = Enter(state_, *context, "RemovePodSandbox"); !entered.ok()) {
      return entered;
    }
    state_.node.RemoveSandbox(request->pod_sandbox_id());
    return grpc::Status::OK;
  }

 private:
  CriState& state_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeRuntimeService(CriState& state) {
  return std::make_unique<RuntimeService>(state);
}

}  // namespace ebb::wire
