#include "wire/listener.h"

#include <fcntl.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/server_posix.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>

namespace ebb::wire {

namespace {

// gRPC's last user in a process shuts it down, and after large messages that waits up to ten
// seconds for a poller that has nothing left to do. So the last user never goes.
const grpc::CompletionQueue* KeepGrpc() {
  static const auto* const kept = new grpc::CompletionQueue;
  return kept;
}

bool HungUp(const base::UniqueFd& fd) {
  pollfd polled = {.fd = fd.get(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&polled, 1, 0) > 0;
}

}  // namespace

base::Result<std::unique_ptr<Listener>> Listener::Open(const std::string& path,
                                                       grpc::Server* server) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) {
    return base::Error{base::ErrorCode::kUsage, path + ": too long for a unix socket"};
  }
  std::ranges::copy(path, std::begin(address.sun_path));
  base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  (void)::unlink(path.c_str());
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how bind() wants its address.
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (!socket.valid() || ::bind(socket.get(), generic, sizeof(address)) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0) {
    return base::Error{base::ErrorCode::kInternal,
                       "listen on " + path + ": " + std::strerror(errno)};
  }
  return std::unique_ptr<Listener>(new Listener(path, std::move(socket), server));
}

Listener::Listener(std::string path, base::UniqueFd socket, grpc::Server* server)
    : path_(std::move(path)), socket_(std::move(socket)), server_(server), kept_(KeepGrpc()) {
  thread_ = std::thread([this] { AcceptLoop(); });
}

Listener::~Listener() {
  (void)::shutdown(socket_.get(), SHUT_RDWR);  // wakes accept()
  thread_.join();
  (void)::unlink(path_.c_str());
  CutAll();
}

void Listener::AcceptLoop() {
  while (true) {
    const int fd = ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      Adopt(fd);
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return;
    }
  }
}

// The server owns and closes `fd`; our duplicate is only there to break the connection.
void Listener::Adopt(int fd) {
  base::UniqueFd ours(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  {
    const base::MutexLock lock(mutex_);
    std::erase_if(connections_, HungUp);
    connections_.push_back(std::move(ours));
  }
  grpc::AddInsecureChannelFromFd(server_, fd);
}

void Listener::CutAll() {
  const base::MutexLock lock(mutex_);
  for (const base::UniqueFd& connection : connections_) {
    (void)::shutdown(connection.get(), SHUT_RDWR);
  }
  connections_.clear();
}

}  // namespace ebb::wire
