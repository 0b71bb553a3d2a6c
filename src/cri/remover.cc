#include "cri/remover.h"

#include <utility>

#include "cri/channel.h"
#include "cri/refusal.h"
#include "rpc/pipeline.h"

namespace ebb::cri {
namespace {

class CriRemover final : public engine::Remover {
 public:
  explicit CriRemover(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  std::vector<engine::RemovalResult> Remove(std::span<const engine::Victim> victims) override {
    const Options& options = connection_->options();
    const auto& peer = connection_->images();
    const rpc::Method method = peer.To("RemoveImage", options.removal_timeout);
    std::vector<engine::RemovalResult> results(
        victims.size(), {image::Outcome::kFailed, "not tried: the runtime had stopped answering"});
    rpc::Pipeline<api::ImageService::Stub, api::RemoveImageRequest, api::RemoveImageResponse>
        pipeline(*peer.stub, &api::ImageService::Stub::AsyncRemoveImage,
                 {method, victims.size(), options.removals_in_flight});
    int unanswered = 0;  // in a row: one slow image is no dead runtime
    pipeline.Run([&](std::size_t i) { return RequestFor(victims[i]); },
                 [&](std::size_t i, const grpc::Status& status, const api::RemoveImageResponse&) {
                   results[i] = ToRemoval(status, method);
                   unanswered = rpc::Unanswered(status) ? unanswered + 1 : 0;
                   return unanswered < options.removals_in_flight;
                 });
    return results;
  }

 private:
  static api::RemoveImageRequest RequestFor(const engine::Victim& victim) {
    api::RemoveImageRequest request;
    request.mutable_image()->set_image(victim.id.value);
    request.mutable_image()->set_runtime_handler(victim.handler);
    return request;
  }

  std::shared_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<engine::Remover> MakeRemover(std::shared_ptr<Connection> connection) {
  return std::make_unique<CriRemover>(std::move(connection));
}

}  // namespace ebb::cri
