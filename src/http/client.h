// Reads from one HTTP server, over TLS or without.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "http/message.h"

namespace ebb::http {

// Certificates and keys are PEM text.
struct Tls {
  std::string ca = {};           // whom to trust; empty: whom the system trusts
  std::string certificate = {};  // our own, with its chain; empty: none
  std::string key = {};
  std::string server_name = {};  // what the server's certificate must name; empty: the URL's host
  bool insecure = false;         // do not verify the server
};

struct ClientOptions {
  std::string url;  // "https://127.0.0.1:10250"
  Tls tls = {};
  base::Duration timeout = std::chrono::seconds(10);  // of one request with all that belongs to it
  std::size_t max_body = std::size_t{64} << 20U;
};

// GET over HTTP/1.1. The connection is kept for the next request. Not for two threads at a time.
class Client {
 public:
  // kUsage if the URL is none or certificate and key cannot be used.
  static base::Result<std::unique_ptr<Client>> Make(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Whatever the server answers, redirects and errors included; `target` begins with a slash. JSON
  // is accepted unless `headers` say otherwise. kUnavailable if nobody answers in time; kInternal
  // if the server is not whom we trust, or its answer is none, is cut off or is too large.
  base::Result<Response> Get(const std::string& target, const Headers& headers = {});

 private:
  class Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::http
