// One call on its way through the proxy.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>

#include <functional>
#include <memory>

#include "wire/faults.h"
#include "wire/record.h"

namespace ebb::wire {

// What waits in a completion queue; the thread that polls the queue runs and deletes it.
struct Tag {
  std::function<void(bool)> done;
};

// What a session needs of its proxy.
struct SessionHost {
  std::function<std::size_t(const Call&)> record;   // returns the number of the call
  std::function<void(std::size_t, int)> answered;   // with gRPC's code
  std::function<void(const Call&)> before_forward;  // may be empty
  std::function<void()> cut;
  Faults* faults = nullptr;
  grpc::GenericStub* upstream = nullptr;
  grpc::CompletionQueue* queue = nullptr;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(SessionHost& host) : host_(host), stream_(&context_) {}

  // Asks `service` for the next call; `arrived` is told whether there was one.
  void Request(grpc::AsyncGenericService& service, grpc::ServerCompletionQueue& queue,
               std::function<void(bool)> arrived);
  // Carries the call from beginning to end; blocks.
  void Run();

 private:
  // Starts an operation with the tag it is given and waits until it is done.
  bool Await(const std::function<void(void*)>& start) const;
  void Note(const grpc::ByteBuffer& first, bool has_first);
  // True if the call ends here.
  bool Misbehave(const Fault& fault);
  void Forward(const grpc::ByteBuffer& first, bool has_first);
  void PrepareUpstream();
  void CarryUp(const grpc::ByteBuffer& first, bool has_first);
  grpc::Status CarryDown();
  void Finish(const grpc::Status& status);

  SessionHost& host_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ClientContext upstream_context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> upstream_;
  std::atomic<bool> cancelled_ = false;
  std::size_t number_ = 0;
  Call call_;
};

}  // namespace ebb::wire
