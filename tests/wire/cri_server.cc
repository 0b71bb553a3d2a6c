#include "wire/cri_server.h"

#include <grpcpp/server_builder.h>

#include "wire/cri_services.h"

namespace ebb::wire {

CriServer::CriServer(testing::FakeNode& node, std::string path)
    : path_(std::move(path)),
      state_{.node = node, .cut = [this] { CutAll(); }},
      images_(MakeImageService(state_)),
      containers_(MakeRuntimeService(state_)) {}

base::Result<std::unique_ptr<CriServer>> CriServer::Start(testing::FakeNode& node,
                                                          const Options& options) {
  std::unique_ptr<CriServer> started(new CriServer(node, options.path));
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(-1);
  builder.SetMaxSendMessageSize(options.max_send_bytes);
  builder.RegisterService(started->images_.get());
  builder.RegisterService(started->containers_.get());
  started->server_ = builder.BuildAndStart();
  if (started->server_ == nullptr) {
    return base::Error{base::ErrorCode::kInternal, "the gRPC server does not start"};
  }
  auto listener = Listener::Open(options.path, started->server_.get());
  if (!listener.ok()) return listener.error();
  started->listener_ = std::move(*listener);
  return started;
}

CriServer::~CriServer() {
  state_.faults.Release();
  listener_.reset();
  if (server_ != nullptr) server_->Shutdown(std::chrono::system_clock::now());
}

grpc::Status Enter(CriState& state, const grpc::ServerContext& context, std::string_view method) {
  if (state.node.dead()) return {grpc::StatusCode::UNAVAILABLE, "the runtime is gone"};
  const std::optional<Fault> fault = state.faults.Take(method);
  if (!fault) return grpc::Status::OK;
  const auto cancelled = [&] { return context.IsCancelled(); };
  switch (fault->kind) {
    case Fault::Kind::kDelay: state.faults.Wait(fault->delay, cancelled); return grpc::Status::OK;
    case Fault::Kind::kFail: return {fault->code, fault->message};
    case Fault::Kind::kDrop: state.faults.WaitForever(cancelled); break;
    case Fault::Kind::kCut: state.cut(); break;
  }
  return {grpc::StatusCode::CANCELLED, "nobody hears this"};
}

}  // namespace ebb::wire
