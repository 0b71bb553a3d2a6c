// What the runtime told of since the loop last asked. Events come from a thread of their own.
#pragma once

#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/events.h"

namespace ebb::daemon {

class Inbox {
 public:
  // Events that are kept; while nobody can look there is no end of them.
  static constexpr std::size_t kMostKept = 10'000;

  struct Content {
    std::vector<engine::RuntimeEvent> started;  // containers, with what they were made from
    bool changed = false;                       // anything at all happened, or may have
    int reconnects = 0;
  };

  void Put(const engine::RuntimeEvent& event) {
    const base::MutexLock lock(mutex_);
    content_.changed = true;
    if (!event.image.empty() && content_.started.size() < kMostKept) {
      content_.started.push_back(event);
    }
  }
  void Connected() {
    const base::MutexLock lock(mutex_);
    content_.changed = true;
    if (std::exchange(connected_, true)) ++content_.reconnects;
  }
  // The next connection is the first of a new stream.
  void Begin() {
    const base::MutexLock lock(mutex_);
    connected_ = false;
  }
  Content Take() {
    const base::MutexLock lock(mutex_);
    return std::exchange(content_, {});
  }

 private:
  base::Mutex mutex_;
  Content content_ EBB_GUARDED_BY(mutex_);
  bool connected_ EBB_GUARDED_BY(mutex_) = false;
};

}  // namespace ebb::daemon
