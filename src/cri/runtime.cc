#include "cri/runtime.h"

#include <optional>
#include <utility>

#include "cri/channel.h"
#include "cri/convert.h"
#include "cri/lists.h"
#include "cri/verbose.h"
#include "rpc/pipeline.h"

namespace ebb::cri {
namespace {

using RuntimeStub = api::RuntimeService::Stub;
using ImageStub = api::ImageService::Stub;

// The JSON under `key` of a verbose answer; empty if there is none.
template <class Response>
std::string_view Info(const Response& response, const char* key) {
  const auto found = response.info().find(key);
  return found == response.info().end() ? std::string_view() : found->second;
}

api::ImageStatusRequest ImageRequest(std::string_view name, bool verbose) {
  api::ImageStatusRequest request;
  request.mutable_image()->set_image(name.data(), name.size());
  request.set_verbose(verbose);
  return request;
}

class CriRuntime final : public engine::Runtime {
 public:
  explicit CriRuntime(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  base::Result<engine::RuntimeFacts> Identify() override {
    auto runtime = connection_->AskVersion();
    if (!runtime.ok()) return runtime.error();
    connection_->set_streams(runtime->traits.has_list_streams);
    api::StatusRequest request;
    request.set_verbose(true);
    const auto& peer = connection_->runtime();
    const auto status = rpc::Call(To(peer, "Status"), *peer.stub, &RuntimeStub::Status, request);
    if (!status.ok()) return status.error();
    return engine::RuntimeFacts{std::move(*runtime), SandboxImageOf(Info(*status, "config"))};
  }

  base::Result<engine::Inventory> List() override { return ListAll(*connection_); }

  base::Result<std::vector<engine::StoragePath>> Storage() override {
    const auto& peer = connection_->images();
    const auto info = rpc::Call(To(peer, "ImageFsInfo"), *peer.stub, &ImageStub::ImageFsInfo,
                                api::ImageFsInfoRequest());
    if (!info.ok()) return info.error();
    return ToStorage(*info);
  }

  base::Result<image::ImageId> Resolve(std::string_view name) override {
    if (name.empty()) return image::ImageId{};
    const auto& peer = connection_->images();
    const auto answer = rpc::Call(To(peer, "ImageStatus"), *peer.stub, &ImageStub::ImageStatus,
                                  ImageRequest(name, false));
    if (answer.ok()) return image::ImageId{answer->image().id()};
    if (answer.error().code == base::ErrorCode::kNotFound) return image::ImageId{};
    return answer.error();
  }

  base::Result<std::vector<image::LayerChain>> LayersOf(
      std::span<const image::ImageId> ids) override {
    std::vector<image::LayerChain> chains(ids.size());
    const auto& peer = connection_->images();
    const auto asked = rpc::AskEach(
        Ask(peer, "ImageStatus", ids.size()), *peer.stub, &ImageStub::AsyncImageStatus,
        [&](std::size_t i) { return ImageRequest(ids[i].value, true); },
        [&](std::size_t i, const grpc::Status&, const api::ImageStatusResponse& answer) {
          chains[i] = DiffIdsOf(Info(answer, "info"));
          return base::Status(base::Done{});
        });
    if (!asked.ok()) return asked.error();
    return chains;
  }

  base::Result<std::vector<std::string>> ImagesOfSandboxes(
      std::span<const std::string> sandbox_ids) override {
    std::vector<std::string> images(sandbox_ids.size());
    const auto& peer = connection_->runtime();
    const auto asked = rpc::AskEach(
        Ask(peer, "PodSandboxStatus", sandbox_ids.size()), *peer.stub,
        &RuntimeStub::AsyncPodSandboxStatus,
        [&](std::size_t i) {
          api::PodSandboxStatusRequest request;
          request.set_pod_sandbox_id(sandbox_ids[i]);
          request.set_verbose(true);
          return request;
        },
        [&](std::size_t i, const grpc::Status&, const api::PodSandboxStatusResponse& answer) {
          images[i] = ImageOfSandbox(Info(answer, "info"));
          return base::Status(base::Done{});
        });
    if (!asked.ok()) return asked.error();
    return images;
  }

  base::Result<std::vector<std::vector<std::string>>> VolumesOf(
      std::span<const std::string> container_ids) override {
    std::vector<std::vector<std::string>> volumes(container_ids.size());
    const auto& peer = connection_->runtime();
    const rpc::Batch batch = Ask(peer, "ContainerStatus", container_ids.size());
    const auto asked = rpc::AskEach(
        batch, *peer.stub, &RuntimeStub::AsyncContainerStatus,
        [&](std::size_t i) {
          api::ContainerStatusRequest request;
          request.set_container_id(container_ids[i]);
          return request;
        },
        [&](std::size_t i, const grpc::Status& status,
            const api::ContainerStatusResponse& answer) -> base::Status {
          if (status.error_code() == grpc::StatusCode::NOT_FOUND) return base::Done{};
          if (!status.ok()) return rpc::ToError(status, batch.method).In(container_ids[i]);
          auto images = ToVolumes(answer.status());
          if (!images.ok()) return images.error();
          volumes[i] = std::move(*images);
          return base::Done{};
        });
    if (!asked.ok()) return asked.error();
    return volumes;
  }

 private:
  template <class Peer>
  rpc::Method To(const Peer& peer, std::string_view name) const {
    return peer.To(name, connection_->options().list_timeout);
  }

  template <class Peer>
  rpc::Batch Ask(const Peer& peer, std::string_view name, std::size_t count) const {
    return {To(peer, name), count, connection_->options().in_flight};
  }

  std::shared_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<engine::Runtime> MakeRuntime(std::shared_ptr<Connection> connection) {
  return std::make_unique<CriRuntime>(std::move(connection));
}

}  // namespace ebb::cri
