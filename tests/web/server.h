// An HTTP server that says what a test wants, over TLS or not.
#pragma once

#include <openssl/ssl.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/unique_fd.h"
#include "web/certs.h"

namespace ebb::web {

// From the whole text of a request to the bytes sent back. The connection stays open unless they
// hold "Connection: close" or are empty.
using Talk = std::function<std::string(const std::string& request)>;

// 200 with a body, as JSON.
std::string Ok(const std::string& body);
std::string Status(int status, const std::string& body = "");

class TestServer {
 public:
  explicit TestServer(Talk talk) : TestServer(std::move(talk), {}, "") {}
  // With `client_ca` only clients with a certificate of it are served.
  TestServer(Talk talk, const Identity& identity, const std::string& client_ca = "");
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::string url() const;  // by address: https://127.0.0.1:PORT
  int port() const { return port_; }
  std::vector<std::string> heard() const;  // the requests so far
  int connections() const;                 // accepted so far

 private:
  void Accept();
  void Serve(int fd);
  void Converse(int fd, SSL* tls);

  Talk talk_;
  std::shared_ptr<SSL_CTX> context_;  // null: without TLS
  base::UniqueFd listening_;
  int port_ = 0;
  mutable base::Mutex mutex_;
  std::vector<std::string> heard_ EBB_GUARDED_BY(mutex_);
  std::vector<base::UniqueFd> sockets_ EBB_GUARDED_BY(mutex_);
  std::vector<std::jthread> talkers_;  // of the accepting thread, until it ended
  std::jthread accepting_;
};

}  // namespace ebb::web
