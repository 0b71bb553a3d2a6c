// A small HTTP server for what operators and scrapers look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "http/message.h"

namespace ebb::http {

struct ServerLimits {
  std::size_t connections = 64;  // more are told 503 and closed
  std::uint32_t header_bytes = 8192;
  base::Duration idle = std::chrono::seconds(30);  // for one request to come, and for one answer
};  // to be taken

struct ServerOptions {
  std::string address = "127.0.0.1:9469";  // see Listen()
  ServerLimits limits = {};
};

// Answers one request. Called on the server's own thread, one call at a time: it must not wait.
using Handler = std::function<Response(const Request&)>;

// HTTP/1.1 with keep-alive, GET and HEAD only, no bodies in requests. No signal is delivered to its
// thread, and none is raised by a client that hangs up.
class Server {
 public:
  // Listens when it returns. The errors are those of Listen().
  static base::Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler handler);
  // Closes every connection and waits for nobody but a handler that is running.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The port that was bound; 0 for a unix socket.
  int port() const;

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::http
