#include "cri/dead.h"

#include <utility>

#include "cri/channel.h"
#include "cri/convert.h"

namespace ebb::cri {
namespace {

using Stub = api::RuntimeService::Stub;

template <class Response>
base::Status WithoutValue(const base::Result<Response>& answer) {
  if (!answer.ok()) return answer.error();
  return base::Done{};
}

class CriContainerRemover final : public engine::ContainerRemover {
 public:
  explicit CriContainerRemover(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  base::Result<engine::ContainerNow> Look(const std::string& id) override {
    api::ContainerStatusRequest request;
    request.set_container_id(id);
    const auto answer = rpc::Call(To("ContainerStatus"), stub(), &Stub::ContainerStatus, request);
    if (!answer.ok()) return answer.error();
    // An answer without a status is proto3's for "all zero", which would read as CREATED.
    if (!answer->has_status()) {
      return base::Error{base::ErrorCode::kInternal, "the runtime tells no state of " + id};
    }
    return engine::ContainerNow{ToState(answer->status().state()), answer->status().log_path()};
  }

  base::Status RemoveContainer(const std::string& id) override {
    api::RemoveContainerRequest request;
    request.set_container_id(id);
    return WithoutValue(rpc::Call(To("RemoveContainer"), stub(), &Stub::RemoveContainer, request));
  }

  base::Status RemoveSandbox(const std::string& id) override {
    api::StopPodSandboxRequest stop;
    stop.set_pod_sandbox_id(id);
    const auto stopped = rpc::Call(To("StopPodSandbox"), stub(), &Stub::StopPodSandbox, stop);
    // What cannot be stopped may still have its network: removing it would leak that.
    if (!stopped.ok()) return stopped.error();
    api::RemovePodSandboxRequest request;
    request.set_pod_sandbox_id(id);
    return WithoutValue(
        rpc::Call(To("RemovePodSandbox"), stub(), &Stub::RemovePodSandbox, request));
  }

 private:
  Stub& stub() const { return *connection_->runtime().stub; }
  rpc::Method To(std::string_view name) const {
    return connection_->runtime().To(name, connection_->options().list_timeout);
  }

  std::shared_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<engine::ContainerRemover> MakeContainerRemover(
    std::shared_ptr<Connection> connection) {
  return std::make_unique<CriContainerRemover>(std::move(connection));
}

}  // namespace ebb::cri
