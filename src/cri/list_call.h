// One list of a runtime, read as a stream or as one message, in steps on a queue shared with
// other lists.
#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>

#include <memory>
#include <optional>
#include <vector>

#include "cri/convert.h"
#include "rpc/call.h"

namespace ebb::cri {

// What a queue's tag points to.
class Step {
 public:
  virtual ~Step() = default;
  // Takes the result of the last operation and starts the next; false when there is none.
  virtual bool Proceed(bool ok) = 0;
};

// `Kind` names the pair of calls: Stub, Message and Piece types, Ask(), Stream(), Items().
template <class Kind, class Out>
class ListCall final : public Step {
 public:
  ListCall(typename Kind::Stub& stub, grpc::CompletionQueue& queue, const rpc::Method& method,
           std::vector<Out>& out)
      : stub_(stub), queue_(queue), method_(method), out_(out) {}

  void Start(bool streaming) { streaming ? StartStream() : StartPlain(); }

  bool Proceed(bool ok) override {
    switch (state_) {
      case State::kOpening:
      case State::kReading: return ReadOn(ok);
      case State::kClosing: return CloseStream();
      case State::kPlain:
        if (status_.ok()) Append(Kind::Items(message_), out_);
        return false;
    }
    return false;
  }

  // The runtime has no such stream, and was asked for a plain list instead.
  bool fell_back() const { return fell_back_; }

  base::Status Result() const {
    if (!status_.ok()) return rpc::ToError(status_, method_);
    return base::Done{};
  }

 private:
  enum class State { kOpening, kReading, kClosing, kPlain };

  void NewContext() {
    context_.emplace();
    rpc::Prepare(*context_, method_);
  }

  void StartStream() {
    NewContext();
    state_ = State::kOpening;
    stream_ = Kind::Stream(stub_, &*context_, &queue_, this);
  }

  void StartPlain() {
    NewContext();
    state_ = State::kPlain;
    plain_ = Kind::Ask(stub_, &*context_, &queue_);
    plain_->Finish(&message_, &status_, this);
  }

  bool ReadOn(bool ok) {
    if (ok && state_ == State::kReading) {
      Append(Kind::Items(piece_), out_);
      got_any_ = true;
      piece_.Clear();
    }
    state_ = ok ? State::kReading : State::kClosing;
    ok ? stream_->Read(&piece_, this) : stream_->Finish(&status_, this);
    return true;
  }

  bool CloseStream() {
    if (got_any_ || status_.error_code() != grpc::StatusCode::UNIMPLEMENTED) return false;
    fell_back_ = true;
    stream_.reset();
    StartPlain();
    return true;
  }

  typename Kind::Stub& stub_;
  grpc::CompletionQueue& queue_;
  rpc::Method method_;
  std::vector<Out>& out_;
  State state_ = State::kPlain;
  bool got_any_ = false;
  bool fell_back_ = false;
  grpc::Status status_;
  typename Kind::Message message_;
  typename Kind::Piece piece_;
  std::optional<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientAsyncReader<typename Kind::Piece>> stream_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<typename Kind::Message>> plain_;
};

}  // namespace ebb::cri
