#include "cri/lists.h"

#include "cri/list_call.h"

namespace ebb::cri {
namespace {

using grpc::ClientContext;
using grpc::CompletionQueue;

struct Images {
  using Stub = api::ImageService::Stub;
  using Message = api::ListImagesResponse;
  using Piece = api::StreamImagesResponse;
  static auto Ask(Stub& stub, ClientContext* context, CompletionQueue* queue) {
    return stub.AsyncListImages(context, {}, queue);
  }
  static auto Stream(Stub& stub, ClientContext* context, CompletionQueue* queue, void* tag) {
    return stub.AsyncStreamImages(context, {}, queue, tag);
  }
  static const auto& Items(const Message& message) { return message.images(); }
  static const auto& Items(const Piece& piece) { return piece.images(); }
};

struct Containers {
  using Stub = api::RuntimeService::Stub;
  using Message = api::ListContainersResponse;
  using Piece = api::StreamContainersResponse;
  static auto Ask(Stub& stub, ClientContext* context, CompletionQueue* queue) {
    return stub.AsyncListContainers(context, {}, queue);
  }
  static auto Stream(Stub& stub, ClientContext* context, CompletionQueue* queue, void* tag) {
    return stub.AsyncStreamContainers(context, {}, queue, tag);
  }
  static const auto& Items(const Message& message) { return message.containers(); }
  static const auto& Items(const Piece& piece) { return piece.containers(); }
};

struct Sandboxes {
  using Stub = api::RuntimeService::Stub;
  using Message = api::ListPodSandboxResponse;
  using Piece = api::StreamPodSandboxesResponse;
  static auto Ask(Stub& stub, ClientContext* context, CompletionQueue* queue) {
    return stub.AsyncListPodSandbox(context, {}, queue);
  }
  static auto Stream(Stub& stub, ClientContext* context, CompletionQueue* queue, void* tag) {
    return stub.AsyncStreamPodSandboxes(context, {}, queue, tag);
  }
  static const auto& Items(const Message& message) { return message.items(); }
  static const auto& Items(const Piece& piece) { return piece.pod_sandboxes(); }
};

void RunSteps(CompletionQueue& queue, int running) {
  void* tag = nullptr;
  bool ok = false;
  while (running > 0 && queue.Next(&tag, &ok)) {
    if (!static_cast<Step*>(tag)->Proceed(ok)) --running;
  }
}

}  // namespace

base::Result<engine::Inventory> ListAll(Connection& connection) {
  const auto& runtime = connection.runtime();
  const auto& peer = connection.images();
  const base::Duration timeout = connection.options().list_timeout;
  engine::Inventory inventory;
  CompletionQueue queue;
  ListCall<Images, image::Image> images(*peer.stub, queue, peer.To("ListImages", timeout),
                                        inventory.images);
  ListCall<Containers, image::Container> containers(
      *runtime.stub, queue, runtime.To("ListContainers", timeout), inventory.containers);
  ListCall<Sandboxes, image::Sandbox> sandboxes(
      *runtime.stub, queue, runtime.To("ListPodSandbox", timeout), inventory.sandboxes);
  const bool streaming = connection.streams();
  images.Start(streaming);
  containers.Start(streaming);
  sandboxes.Start(streaming);
  RunSteps(queue, 3);
  if (images.fell_back() || containers.fell_back() || sandboxes.fell_back()) {
    connection.RefuseStreams();
  }
  for (const auto& result : {images.Result(), containers.Result(), sandboxes.Result()}) {
    if (!result.ok()) return result.error();
  }
  return inventory;
}

}  // namespace ebb::cri
