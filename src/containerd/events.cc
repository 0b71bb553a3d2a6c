#include "containerd/events.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "containerd/channel.h"
#include "containerd/timestamp.h"

namespace ebb::containerd {
namespace {

constexpr base::Duration kShortestWait = std::chrono::seconds(1);
constexpr base::Duration kLongestWait = std::chrono::seconds(30);

engine::RuntimeEvent Translate(const events_api::Envelope& envelope) {
  engine::RuntimeEvent event{.time = ToTime(envelope.timestamp())};
  const std::string& topic = envelope.topic();
  if (topic.starts_with("/images/")) event.kind = engine::RuntimeEvent::Kind::kImage;
  events_api::ImageDelete deleted;
  if (topic == "/images/delete" && deleted.ParseFromString(envelope.event().value())) {
    event.gone = deleted.name();
  }
  if (!topic.starts_with("/containers/")) return event;
  event.kind = engine::RuntimeEvent::Kind::kContainer;
  events_api::ContainerCreate created;
  if (topic == "/containers/create" && created.ParseFromString(envelope.event().value())) {
    event.container = created.id();
    event.image = created.image();
  }
  return event;
}

class Listener final : public engine::EventSource {
 public:
  Listener(std::shared_ptr<Connection> connection, engine::EventHandlers handlers)
      : connection_(std::move(connection)),
        handlers_(std::move(handlers)),
        thread_([this] { Run(); }) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  ~Listener() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      if (stream_ != nullptr) stream_->TryCancel();
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  void Run() {
    base::Duration wait = kShortestWait;
    while (!Ended()) {
      if (ReadUntilItBreaks()) wait = kShortestWait;
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, wait, [this] { return ended_; });
      wait = std::min(2 * wait, kLongestWait);
    }
  }

  // False if nothing was ever told. A stream says nothing by itself when it stands, so it is asked
  // first whether anybody is there.
  bool ReadUntilItBreaks() {
    if (!Probe(*connection_).ok()) return false;
    grpc::ClientContext context;
    if (!Open(&context)) return false;
    events_api::SubscribeRequest request;
    request.add_filters(std::string("namespace==") + kCriSpace + R"(,topic~="^/images/")");
    request.add_filters(std::string("namespace==") + kCriSpace + R"(,topic~="^/containers/")");
    const auto stream = connection_->events().Subscribe(&context, request);
    handlers_.on_connected();
    events_api::Envelope envelope;
    bool any = false;
    while (stream->Read(&envelope)) {
      any = true;
      handlers_.on_event(Translate(envelope));
    }
    Open(nullptr);
    const grpc::Status status = stream->Finish();
    if (!status.ok() && !Ended()) {
      handlers_.on_broken(rpc::ToError(status, connection_->To("Events.Subscribe")));
    }
    return any;
  }

  // Whether it is worth opening a stream; from now on it can be cancelled.
  bool Open(grpc::ClientContext* stream) {
    const std::lock_guard lock(mutex_);
    stream_ = stream;
    return !ended_;
  }

  bool Ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
  }

  const std::shared_ptr<Connection> connection_;
  const engine::EventHandlers handlers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  grpc::ClientContext* stream_ = nullptr;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<engine::EventSource> Listen(std::shared_ptr<Connection> connection,
                                            engine::EventHandlers handlers) {
  return std::make_unique<Listener>(std::move(connection), std::move(handlers));
}

}  // namespace ebb::containerd
