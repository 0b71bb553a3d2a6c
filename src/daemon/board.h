// What the daemon shows of itself: written by the loop and the pulse, read by whoever asks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "image/dead.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/metrics.h"

namespace ebb::daemon {

// What one pass saw and decided; never changed once it is on the board.
struct View {
  image::Observation seen;
  image::Policy policy;
  image::Plan plan;
  image::DeadPlan dead;
  base::Duration at{};  // monotonic
};

struct Shown {
  std::shared_ptr<const View> view;     // null: no pass yet
  std::vector<image::Filesystem> disk;  // as last measured, about every second
  std::map<std::string, report::Outlook> outlooks;
  report::RunTotals totals;
  bool enforcing = false;
  bool paused = false;
  std::string trouble;  // why there is no fresh view; empty: there is one
  bool config_in_force = true;
  base::TimePoint config_time = base::kNever;
  // Until when the loop may be silent without having died: it says so before whatever it does.
  base::Duration alive_until{};
};

class Board {
 public:
  Shown Read() const {
    const base::MutexLock lock(mutex_);
    return shown_;
  }
  template <class Change>
  void Update(Change change) {
    const base::MutexLock lock(mutex_);
    change(shown_);
  }

 private:
  mutable base::Mutex mutex_;
  Shown shown_ EBB_GUARDED_BY(mutex_);
};

}  // namespace ebb::daemon
