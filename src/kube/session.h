// Asks one server of Kubernetes, with credentials that may change while we run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/ports.h"
#include "http/client.h"
#include "kube/access.h"
#include "kube/exec_plugin.h"

namespace ebb::kube {

// For any number of threads: each request takes a connection that nobody uses, or makes one, and
// leaves it for the next.
class Session {
 public:
  // `clock` tells when credentials expire and waits where the server asks for that; it must outlive
  // this.
  explicit Session(Access access, engine::Clock& clock,
                   base::Duration timeout = std::chrono::seconds(10))
      : access_(std::move(access)), clock_(clock), timeout_(timeout) {}

  // The body of a 200. Every other answer is an error: Refusal, or those of http::Client.
  base::Result<std::string> Get(const std::string& target);
  // Any answer. A 429 or 503 that says when to ask again is asked again then, five times at most,
  // and a 401 once with fresh credentials of a plugin.
  base::Result<http::Response> Ask(const std::string& target, const std::string& accept);
  // What an answer that is no 200 says: 403 is kUnsupported, 410 is kConflict, 429 and 5xx are
  // kUnavailable, the rest is kInternal.
  base::Error Refusal(const http::Response& answer) const;

  const std::string& server() const { return access_.server; }

 private:
  // A connection with who we are on it.
  struct Line {
    std::unique_ptr<http::Client> client;
    http::Tls tls;
    http::Headers headers;
  };
  base::Result<http::Response> AskOnce(const std::string& target, const std::string& accept);
  base::Result<Line> TakeLine();
  void GiveBack(Line line);
  base::Status Authorize(Line& line) EBB_REQUIRES(mutex_);
  base::Result<std::string> Token(http::Tls& tls) EBB_REQUIRES(mutex_);
  base::Status AskPlugin() EBB_REQUIRES(mutex_);
  bool Forget();  // what a plugin gave

  const Access access_;
  engine::Clock& clock_;
  const base::Duration timeout_;
  base::Mutex mutex_;
  http::Tls tls_ EBB_GUARDED_BY(mutex_);  // of the connections that wait
  std::vector<std::unique_ptr<http::Client>> waiting_ EBB_GUARDED_BY(mutex_);
  std::optional<ExecCredential> credential_ EBB_GUARDED_BY(mutex_);
};

}  // namespace ebb::kube
