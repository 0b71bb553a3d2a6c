// Whether the ages of images can be believed: they are by the wall clock, which may be set.
#pragma once

#include <optional>

#include "base/time.h"

namespace ebb::engine {

// Compares the wall clock with the monotonic one. A clock that went ahead has aged every image by
// as much, in a moment; after a day the ages that matter have grown honestly. One that was set back
// makes images younger, which costs nothing.
class ClockWatch {
 public:
  // `before`: when the wall clock was last seen before this program started; kNever: not known.
  explicit ClockWatch(base::TimePoint before = base::kNever) : wall_(before) {}

  void Look(base::TimePoint wall, base::Duration elapsed);
  // How far it went ahead, for a day after it did.
  std::optional<base::Duration> Ahead() const { return ahead_; }

 private:
  base::TimePoint wall_;
  std::optional<base::Duration> elapsed_;  // nullopt: not looked at yet
  std::optional<base::Duration> ahead_;
  base::Duration since_{};
};

}  // namespace ebb::engine
