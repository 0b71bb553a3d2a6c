// The way to a container runtime that speaks CRI v1: one connection, from which the ports of
// engine/ are made (cri/runtime.h, cri/remover.h).
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "image/runtime.h"

namespace ebb::cri {

// Where the two CRI services listen: "unix:///path" or "/path".
struct Endpoints {
  std::string runtime;
  std::string image;  // empty: the same as runtime
};

struct Options {
  // Until the first answer at all: a runtime that hangs is told apart from one that is slow.
  base::Duration connect_timeout = std::chrono::seconds(10);
  // Of every call that reads.
  base::Duration list_timeout = std::chrono::minutes(2);
  // Of one removal; less than 5 minutes counts as 5. containerd deletes layers before it answers,
  // and a removal given up half way leaves the image without its names but with all its bytes.
  base::Duration removal_timeout = std::chrono::minutes(5);
  int in_flight = 32;
  int removals_in_flight = 16;
};

// Opaque here, so that nobody else sees gRPC. May be used from several threads.
class Connection;

// Only checks what the endpoints say (kUsage for anything but unix sockets); the first call
// connects. A runtime that restarts later is found again by itself.
base::Result<std::shared_ptr<Connection>> Connect(const Endpoints& endpoints,
                                                  const Options& options = {});

// Asks who answers at `endpoint`, for at most `timeout`. Everything but a CRI v1 runtime is
// kUnavailable, in one sentence that says which it is: no such socket, no permission, nobody
// listens, no answer, an answer but no CRI.
base::Result<image::Runtime> Probe(const std::string& endpoint, base::Duration timeout);

}  // namespace ebb::cri
