// A unix socket whose connections we keep in hand, so that a test can break them.
#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/server.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace ebb::wire {

class Listener {
 public:
  // Listens on `path` (replacing whatever is there) and hands connections to `server`, which
  // must have been started and must outlive this.
  static base::Result<std::unique_ptr<Listener>> Open(const std::string& path,
                                                      grpc::Server* server);
  // Breaks all connections and removes the socket.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Every open connection ends now, in the middle of whatever it carries.
  void CutAll();

 private:
  Listener(std::string path, base::UniqueFd socket, grpc::Server* server);
  void AcceptLoop();
  void Adopt(int fd);

  const std::string path_;
  const base::UniqueFd socket_;
  grpc::Server* const server_;
  const grpc::CompletionQueue* const kept_;
  base::Mutex mutex_;
  std::vector<base::UniqueFd> connections_ EBB_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace ebb::wire
