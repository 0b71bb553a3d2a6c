// What the daemon answers to whoever asks over HTTP.
#pragma once

#include <string>

#include "daemon/board.h"
#include "engine/ports.h"
#include "http/message.h"

namespace ebb::daemon {

// GET /metrics, /healthz, /readyz and /status: JSON, with ?output=table what `ebb status` prints,
// and with ?pressure what `ebb status --pressure` prints. Only reads the board.
class Endpoints {
 public:
  // Both must outlive this.
  Endpoints(const Board& board, engine::Clock& clock, std::string version)
      : board_(board), clock_(clock), version_(std::move(version)) {}

  http::Response Answer(const http::Request& request) const;

 private:
  http::Response Metrics() const;
  // The loop does what it said it would do in time.
  http::Response Healthy() const;
  // The last look at the node succeeded and is not older than it should be.
  http::Response Ready() const;
  http::Response Status(const http::Request& request) const;

  const Board& board_;
  engine::Clock& clock_;
  const std::string version_;
};

}  // namespace ebb::daemon
