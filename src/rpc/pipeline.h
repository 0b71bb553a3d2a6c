// Many unary calls of one kind over one queue. One thread, a bounded number in flight.
#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_unary_call.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rpc/call.h"

namespace ebb::rpc {

struct Batch {
  Method method;  // its timeout is each call's, from when it is sent
  std::size_t calls = 0;
  int in_flight = 1;
};

// Sends request(i) for every i below batch.calls and hands each answer to
// done(i, grpc::Status, Response), in the order in which answers arrive. Once done() says false
// nothing more is sent; what is in flight is still waited for and handed over.
template <class Stub, class Request, class Response>
class Pipeline {
 public:
  using Reader = std::unique_ptr<grpc::ClientAsyncResponseReader<Response>>;
  using Send = Reader (Stub::*)(grpc::ClientContext*, const Request&, grpc::CompletionQueue*);

  Pipeline(Stub& stub, Send send, Batch batch)
      : stub_(stub),
        send_(send),
        batch_(std::move(batch)),
        slots_(std::min(batch_.calls, static_cast<std::size_t>(std::max(batch_.in_flight, 1)))) {}

  template <class MakeRequest, class Done>
  void Run(MakeRequest request, Done done) {
    std::size_t flying = 0;
    for (Slot& slot : slots_) {
      Start(slot, request);
      ++flying;
    }
    bool go_on = true;
    void* tag = nullptr;
    bool ok = false;
    while (flying > 0 && queue_.Next(&tag, &ok)) {
      Slot& slot = *static_cast<Slot*>(tag);
      go_on = done(slot.index, slot.status, slot.response) && go_on;
      --flying;
      if (go_on && next_ < batch_.calls) {
        Start(slot, request);
        ++flying;
      }
    }
  }

 private:
  struct Slot {
    std::size_t index = 0;
    std::optional<grpc::ClientContext> context;
    Reader reader;
    Response response;  // cleared, not freed, between calls
    grpc::Status status;
  };

  template <class MakeRequest>
  void Start(Slot& slot, MakeRequest& request) {
    slot.index = next_++;
    slot.reader.reset();
    slot.context.emplace();
    Prepare(*slot.context, batch_.method);
    slot.response.Clear();
    slot.reader = (stub_.*send_)(&*slot.context, request(slot.index), &queue_);
    slot.reader->Finish(&slot.response, &slot.status, &slot);
  }

  Stub& stub_;
  Send send_;
  Batch batch_;
  std::size_t next_ = 0;
  grpc::CompletionQueue queue_;
  std::vector<Slot> slots_;
};

// The same where answers may be errors: the first Error from take(i, grpc::Status, Response), or a
// peer that does not answer, ends the asking and is returned.
template <class Stub, class Request, class Response, class MakeRequest, class Take>
base::Status AskEach(const Batch& batch, Stub& stub,
                     std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> (Stub::*send)(
                         grpc::ClientContext*, const Request&, grpc::CompletionQueue*),
                     MakeRequest request, Take take) {
  base::Status result = base::Done{};
  Pipeline<Stub, Request, Response>(stub, send, batch)
      .Run(request, [&](std::size_t i, const grpc::Status& status, const Response& response) {
        if (!result.ok()) return false;
        result = Unanswered(status) ? base::Status(ToError(status, batch.method))
                                    : take(i, status, response);
        return result.ok();
      });
  return result;
}

}  // namespace ebb::rpc
