#include "wire/proxy.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <condition_variable>
#include <thread>

#include "base/mutex.h"
#include "wire/listener.h"
#include "wire/session.h"

namespace ebb::wire {

namespace {

std::shared_ptr<grpc::Channel> Dial(const std::string& path) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // The upstream may be killed and come back; a client of ours should not wait for our back-off.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 20);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 20);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 100);
  return grpc::CreateCustomChannel("unix://" + path, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

class Proxy::Server {
 public:
  explicit Server(const Options& options) : stub_(Dial(options.upstream)) {
    host_.record = [this](const Call& call) { return Record(call); };
    host_.answered = [this](std::size_t number, int code) { Answered(number, code); };
    host_.before_forward = options.before_forward;
    host_.cut = [this] { listener_->CutAll(); };
    host_.faults = &faults_;
    host_.upstream = &stub_;
  }

  base::Status Start(const std::string& path) {
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(-1);
    builder.SetMaxSendMessageSize(-1);
    builder.RegisterAsyncGenericService(&service_);
    queue_ = builder.AddCompletionQueue();
    host_.queue = queue_.get();
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) {
      return base::Error{base::ErrorCode::kInternal, "the gRPC server does not start"};
    }
    poller_ = std::thread([this] { Poll(); });
    RequestNext();
    auto listener = Listener::Open(path, server_.get());
    if (!listener.ok()) return listener.error();
    listener_ = std::move(*listener);
    return base::Done{};
  }

  ~Server() {
    faults_.Release();
    listener_.reset();
    if (server_ == nullptr) return;
    server_->Shutdown(std::chrono::system_clock::now());
    {
      std::unique_lock lock(running_mutex_);
      idle_.wait(lock, [this] { return running_ == 0; });
    }
    queue_->Shutdown();
    poller_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Faults& faults() { return faults_; }
  void CutAll() { listener_->CutAll(); }
  std::vector<Call> calls() const {
    const base::MutexLock lock(mutex_);
    return calls_;
  }

 private:
  void Poll() {
    void* tag = nullptr;
    bool ok = false;
    while (queue_->Next(&tag, &ok)) {
      const std::unique_ptr<Tag> owned(static_cast<Tag*>(tag));
      owned->done(ok);
    }
  }

  void RequestNext() {
    auto session = std::make_shared<Session>(host_);
    session->Request(service_, *queue_, [this, session](bool arrived) {
      if (!arrived) return;
      RequestNext();
      Launch(session);
    });
  }

  // Each call has a thread of its own: a hook or a delay of one must not hold up another.
  void Launch(std::shared_ptr<Session> session) {
    {
      const std::lock_guard lock(running_mutex_);
      ++running_;
    }
    std::thread([this, session = std::move(session)]() mutable {
      session->Run();
      session.reset();
      const std::lock_guard lock(running_mutex_);
      --running_;
      idle_.notify_all();
    }).detach();
  }

  std::size_t Record(const Call& call) {
    const base::MutexLock lock(mutex_);
    calls_.push_back(call);
    return calls_.size() - 1;
  }

  void Answered(std::size_t number, int code) {
    const base::MutexLock lock(mutex_);
    calls_[number].code = code;
  }

  Faults faults_;
  grpc::GenericStub stub_;
  SessionHost host_;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Listener> listener_;
  std::thread poller_;
  mutable base::Mutex mutex_;
  std::vector<Call> calls_ EBB_GUARDED_BY(mutex_);
  std::mutex running_mutex_;
  std::condition_variable idle_;
  int running_ = 0;
};

Proxy::Proxy(std::unique_ptr<Server> server) : server_(std::move(server)) {}
Proxy::~Proxy() = default;

base::Result<std::unique_ptr<Proxy>> Proxy::Start(const Options& options) {
  auto server = std::make_unique<Server>(options);
  if (const base::Status started = server->Start(options.listen); !started.ok()) {
    return started.error().In("proxy");
  }
  return std::unique_ptr<Proxy>(new Proxy(std::move(server)));
}

Faults& Proxy::faults() {
  return server_->faults();
}
void Proxy::CutAll() {
  server_->CutAll();
}
std::vector<Call> Proxy::calls() const {
  return server_->calls();
}

}  // namespace ebb::wire
