// Many unary calls of one kind over one queue. One thread, a bounded number in flight.
#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_unary_call.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cri/call.h"

namespace ebb::cri {

struct Batch {
  std::size_t calls = 0;
  int in_flight = 1;
  base::Duration timeout{};  // of each call, from when it is sent
};

// Sends request(i) for every i below batch.calls and hands each answer to
// done(i, grpc::Status, Response), in the order in which answers arrive. Once done() says false
// nothing more is sent; what is in flight is still waited for and handed over.
template <class Stub, class Request, class Response>
class Pipeline {
 public:
  using Reader = std::unique_ptr<grpc::ClientAsyncResponseReader<Response>>;
  using Send = Reader (Stub::*)(grpc::ClientContext*, const Request&, grpc::CompletionQueue*);

  Pipeline(Stub& stub, Send send, const Batch& batch)
      : stub_(stub),
        send_(send),
        batch_(batch),
        slots_(std::min(batch.calls, static_cast<std::size_t>(std::max(batch.in_flight, 1)))) {}

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
    SetDeadline(*slot.context, batch_.timeout);
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

}  // namespace ebb::cri
