// A recording proxy: unix socket to unix socket, any gRPC service and method, messages passed on
// untouched in both directions, with their metadata, deadlines and cancellations.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "wire/faults.h"
#include "wire/record.h"

namespace ebb::wire {

class Proxy {
 public:
  struct Options {
    std::string listen;    // path of our socket; replaced if it exists
    std::string upstream;  // path of the socket that really answers
    // Run in the call's own thread after it was recorded and before any fault or forwarding, when
    // its first message is there.
    std::function<void(const Call&)> before_forward;
  };

  static base::Result<std::unique_ptr<Proxy>> Start(const Options& options);
  // Cancels what is in flight.
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // A delay, failure or drop keeps the call from the upstream until it is over, or for good.
  Faults& faults();
  void CutAll();
  // In the order in which they arrived.
  std::vector<Call> calls() const;

 private:
  class Server;
  explicit Proxy(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

}  // namespace ebb::wire
