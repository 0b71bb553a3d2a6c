// ImageService of a CriServer.
#include "cri.grpc.pb.h"
#include "wire/cri_services.h"

namespace ebb::wire {

namespace {

namespace v1 = runtime::v1;

v1::Image ToWire(const image::Image& image, std::size_t padding) {
  v1::Image wire;
  wire.set_id(image.id.value);
  for (const std::string& tag : image.tags) wire.add_repo_tags(tag);
  for (const std::string& digest : image.digests) wire.add_repo_digests(digest);
  wire.set_size(static_cast<std::uint64_t>(image.size.count));
  wire.set_pinned(image.pinned);
  if (!image.handlers.empty()) wire.mutable_spec()->set_runtime_handler(image.handlers.front());
  if (padding > 0) {
    (*wire.mutable_spec()->mutable_annotations())["padding"] = std::string(padding, 'x');
  }
  return wire;
}

grpc::StatusCode CodeOf(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kNotFound: return grpc::StatusCode::NOT_FOUND;
    case base::ErrorCode::kUnavailable: return grpc::StatusCode::UNAVAILABLE;
    default: return grpc::StatusCode::UNKNOWN;  // what CRI makes of most errors
  }
}

class ImageService final : public v1::ImageService::Service {
 public:
  explicit ImageService(CriState& state) : state_(state) {}

  grpc::Status ListImages(grpc::ServerContext* context, const v1::ListImagesRequest*,
                          v1::ListImagesResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "ListImages"); !entered.ok()) return entered;
    for (const image::Image& image : state_.node.ListImages()) {
      *response->add_images() = ToWire(image, state_.padding);
    }
    return grpc::Status::OK;
  }

  grpc::Status StreamImages(grpc::ServerContext* context, const v1::StreamImagesRequest* request,
                            grpc::ServerWriter<v1::StreamImagesResponse>* writer) override {
    if (!state_.node.profile().streams) {
      return v1::ImageService::Service::StreamImages(context, request, writer);
    }
    if (grpc::Status entered = Enter(state_, *context, "StreamImages"); !entered.ok()) {
      return entered;
    }
    for (const image::Image& image : state_.node.ListImages()) {
      v1::StreamImagesResponse response;
      *response.add_images() = ToWire(image, state_.padding);
      writer->Write(response);
    }
    return grpc::Status::OK;
  }

  grpc::Status ImageStatus(grpc::ServerContext* context, const v1::ImageStatusRequest* request,
                           v1::ImageStatusResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "ImageStatus"); !entered.ok()) {
      return entered;
    }
    const std::string& name = request->image().image();
    const std::optional<image::Image> image = state_.node.FindImage(name);
    if (!image) return grpc::Status::OK;
    *response->mutable_image() = ToWire(*image, 0);
    const image::LayerChain diff_ids = state_.node.DiffIds(name);
    if (request->verbose() && diff_ids) {
      (*response->mutable_info())["info"] = ImageStatusJson(state_.node.profile(), *diff_ids);
    }
    return grpc::Status::OK;
  }

  grpc::Status RemoveImage(grpc::ServerContext* context, const v1::RemoveImageRequest* request,
                           v1::RemoveImageResponse*) override {
    if (grpc::Status entered = Enter(state_, *context, "RemoveImage"); !entered.ok()) {
      return entered;
    }
    const base::Status removed =
        state_.node.RemoveImage(request->image().image(), request->image().runtime_handler());
    if (removed.ok()) return grpc::Status::OK;
    return {CodeOf(removed.error().code), removed.error().message};
  }

  grpc::Status ImageFsInfo(grpc::ServerContext* context, const v1::ImageFsInfoRequest*,
                           v1::ImageFsInfoResponse* response) override {
    if (grpc::Status entered = Enter(state_, *context, "ImageFsInfo"); !entered.ok()) {
      return entered;
    }
    for (const engine::StoragePath& path : state_.node.Storage()) {
      if (path.holds_images) Fill(path, *response->add_image_filesystems());
      if (path.holds_containers) Fill(path, *response->add_container_filesystems());
    }
    return grpc::Status::OK;
  }

 private:
  static void Fill(const engine::StoragePath& path, v1::FilesystemUsage& usage) {
    usage.mutable_fs_id()->set_mountpoint(path.mountpoint);
    usage.mutable_used_bytes()->set_value(static_cast<std::uint64_t>(path.used.count));
  }

  CriState& state_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeImageService(CriState& state) {
  return std::make_unique<ImageService>(state);
}

}  // namespace ebb::wire
