// The way to containerd's own API: one connection, from which the ports of engine/ are made
// (containerd/store.h, containerd/holder.h).
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace ebb::containerd {

struct Options {
  // Until the first answer at all: a daemon that hangs is told apart from one that is slow.
  base::Duration connect_timeout = std::chrono::seconds(10);
  // Of every call that reads or writes a record.
  base::Duration call_timeout = std::chrono::minutes(2);
  // Of a release, which answers when everything it freed has left the disk.
  base::Duration release_timeout = std::chrono::minutes(5);
  int in_flight = 32;
};

// Opaque here, so that nobody else sees gRPC. May be used from several threads.
class Connection;

// Only checks what the endpoint says (kUsage for anything but a unix socket); the first call
// connects. A containerd that restarts later is found again by itself.
base::Result<std::shared_ptr<Connection>> Connect(const std::string& endpoint,
                                                  const Options& options = {});

struct Daemon {
  std::string version;  // "v1.7.24"
};

// Asks who answers, by a question containerd answers from memory (its UUID takes room on a disk
// that may have none), for at most Options::connect_timeout. Everything but containerd's own API is
// kUnavailable, in one sentence that says which it is: no such socket, no permission, nobody
// listens, no answer, an answer but no containerd.
base::Result<Daemon> Probe(Connection& connection);

}  // namespace ebb::containerd
