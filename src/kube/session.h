// Asks one server of Kubernetes, with credentials that may change while we run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/ports.h"
#include "http/client.h"
#include "kube/access.h"
#include "kube/exec_plugin.h"

namespace ebb::kube {

class Session {
 public:
  // `clock` tells when credentials expire, and must outlive this.
  Session(Access access, engine::Clock& clock) : access_(std::move(access)), clock_(clock) {}

  // The body of a 200. Every other answer is an error with what the server said: 410 is kConflict,
  // 429 and 5xx are kUnavailable, the rest is kInternal. The errors of http::Client otherwise.
  base::Result<std::string> Get(const std::string& target);

  const std::string& server() const { return access_.server; }

 private:
  base::Result<http::Response> Ask(const std::string& target);
  base::Result<std::string> TokenAndTls(http::Tls& tls);
  base::Status AskPlugin();
  base::Status Connect(http::Tls tls);

  Access access_;
  engine::Clock& clock_;
  http::Tls tls_;  // of client_
  std::unique_ptr<http::Client> client_;
  std::optional<ExecCredential> credential_;
};

}  // namespace ebb::kube
