// What goes wrong with the next calls of a gRPC method.
#pragma once

#include <grpcpp/support/status.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace ebb::wire {

struct Fault {
  enum class Kind {
    kDelay,  // then go on as if nothing had happened
    kFail,   // answer with a code
    kDrop,   // never answer
    kCut,    // every connection breaks
  };
  Kind kind = Kind::kFail;
  std::chrono::milliseconds delay{};
  grpc::StatusCode code = grpc::StatusCode::UNAVAILABLE;
  std::string message;
  int times = 0;  // how many calls it hits; 0: all
};

// A fault per method, named in full ("/runtime.v1.ImageService/RemoveImage") or by its last word.
class Faults {
 public:
  void Set(std::string_view method, const Fault& fault);
  void Clear();
  // The fault that hits this call, if any.
  std::optional<Fault> Take(std::string_view method);

  // Returns when the time is over, when nobody waits for the answer any more, or on Release().
  void Wait(std::chrono::milliseconds time, const std::function<bool()>& given_up) const;
  // As Wait, without an end of its own.
  void WaitForever(const std::function<bool()>& given_up) const;
  // Ends all waiting, for good.
  void Release() { released_ = true; }

 private:
  base::Mutex mutex_;
  std::map<std::string, Fault, std::less<>> faults_ EBB_GUARDED_BY(mutex_);
  std::atomic<bool> released_ = false;
};

}  // namespace ebb::wire
