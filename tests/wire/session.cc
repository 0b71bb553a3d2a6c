#include "wire/session.h"

#include <future>
#include <thread>
#include <vector>

namespace ebb::wire {

namespace {

std::string Text(const grpc::string_ref& text) {
  return {text.data(), text.size()};
}

std::string Flat(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string flat;
  if (!buffer.Dump(&slices).ok()) return flat;
  for (const grpc::Slice& slice : slices) {
    for (const std::uint8_t byte : slice) flat.push_back(static_cast<char>(byte));
  }
  return flat;
}

// What each hop of gRPC makes for itself.
bool BelongsToTheHop(std::string_view key) {
  return key.starts_with("grpc-") || key.starts_with(':') || key == "user-agent" ||
         key == "content-type" || key == "te";
}

}  // namespace

void Session::Request(grpc::AsyncGenericService& service, grpc::ServerCompletionQueue& queue,
                      std::function<void(bool)> arrived) {
  // Tells us, some time, that the call is over. It never comes for a call that never arrived, so
  // then it is ours to delete; until then it keeps the call alive.
  auto* over = new Tag{[self = shared_from_this()](bool) {
    if (!self->context_.IsCancelled()) return;
    self->cancelled_ = true;
    self->upstream_context_.TryCancel();
  }};
  context_.AsyncNotifyWhenDone(over);
  service.RequestCall(&context_, &stream_, &queue, &queue,
                      new Tag{[over, arrived = std::move(arrived)](bool ok) {
                        if (!ok) delete over;
                        arrived(ok);
                      }});
}

bool Session::Await(const std::function<void(void*)>& start) const {
  const auto done = std::make_shared<std::promise<bool>>();
  start(new Tag{[done](bool ok) { done->set_value(ok); }});
  return done->get_future().get();
}

void Session::Run() {
  grpc::ByteBuffer first;
  const bool has_first = Await([&](void* tag) { stream_.Read(&first, tag); });
  Note(first, has_first);
  if (host_.before_forward) host_.before_forward(call_);
  const std::optional<Fault> fault = host_.faults->Take(call_.method);
  if (fault && Misbehave(*fault)) return;
  Forward(first, has_first);
}

void Session::Note(const grpc::ByteBuffer& first, bool has_first) {
  call_.time = std::chrono::system_clock::now();
  call_.method = context_.method();
  if (has_first) call_.request = Flat(first);
  call_.object = ObjectOf(call_.method, call_.request);
  const auto space = context_.client_metadata().find("containerd-namespace");
  if (space != context_.client_metadata().end()) call_.space = Text(space->second);
  number_ = host_.record(call_);
}

bool Session::Misbehave(const Fault& fault) {
  const auto given_up = [this] { return cancelled_.load(); };
  switch (fault.kind) {
    case Fault::Kind::kDelay: host_.faults->Wait(fault.delay, given_up); return false;
    case Fault::Kind::kFail: Finish({fault.code, fault.message}); return true;
    case Fault::Kind::kDrop: host_.faults->WaitForever(given_up); break;
    case Fault::Kind::kCut: host_.cut(); break;
  }
  Finish(grpc::Status::CANCELLED);
  return true;
}

void Session::PrepareUpstream() {
  for (const auto& [key, value] : context_.client_metadata()) {
    if (!BelongsToTheHop(Text(key))) upstream_context_.AddMetadata(Text(key), Text(value));
  }
  upstream_context_.set_deadline(context_.deadline());
  upstream_ = host_.upstream->PrepareCall(&upstream_context_, call_.method, host_.queue);
}

void Session::Forward(const grpc::ByteBuffer& first, bool has_first) {
  PrepareUpstream();
  if (!Await([&](void* tag) { upstream_->StartCall(tag); })) {
    grpc::Status status;
    Await([&](void* tag) { upstream_->Finish(&status, tag); });
    Finish(status);
    return;
  }
  std::thread up([&] { CarryUp(first, has_first); });
  Finish(CarryDown());
  up.join();
}

void Session::CarryUp(const grpc::ByteBuffer& first, bool has_first) {
  grpc::ByteBuffer message = first;
  for (bool more = has_first; more;) {
    if (!Await([&](void* tag) { upstream_->Write(message, tag); })) return;
    more = Await([&](void* tag) { stream_.Read(&message, tag); });
  }
  Await([&](void* tag) { upstream_->WritesDone(tag); });
}

grpc::Status Session::CarryDown() {
  Await([&](void* tag) { upstream_->ReadInitialMetadata(tag); });
  for (const auto& [key, value] : upstream_context_.GetServerInitialMetadata()) {
    if (!BelongsToTheHop(Text(key))) context_.AddInitialMetadata(Text(key), Text(value));
  }
  grpc::ByteBuffer message;
  while (Await([&](void* tag) { upstream_->Read(&message, tag); })) {
    if (Await([&](void* tag) { stream_.Write(message, tag); })) continue;
    upstream_context_.TryCancel();
    break;
  }
  grpc::Status status;
  Await([&](void* tag) { upstream_->Finish(&status, tag); });
  for (const auto& [key, value] : upstream_context_.GetServerTrailingMetadata()) {
    context_.AddTrailingMetadata(Text(key), Text(value));
  }
  return {status.error_code(), status.error_message()};
}

void Session::Finish(const grpc::Status& status) {
  Await([&](void* tag) { stream_.Finish(status, tag); });
  host_.answered(number_, status.error_code());
}

}  // namespace ebb::wire
