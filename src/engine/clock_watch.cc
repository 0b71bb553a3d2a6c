#include "engine/clock_watch.h"

#include <algorithm>

namespace ebb::engine {
namespace {

constexpr base::Duration kTolerance = std::chrono::minutes(10);
// A node that was off for longer is rarer than one whose clock forgot what time it is.
constexpr base::Duration kLongestOff = std::chrono::hours(24 * 30);
constexpr base::Duration kDoubted = std::chrono::hours(24);

}  // namespace

void ClockWatch::Look(base::TimePoint wall, base::Duration elapsed) {
  const bool known = wall_ != base::kNever;
  const base::Duration expected = elapsed_ ? elapsed - *elapsed_ : kLongestOff;
  const base::Duration ahead = wall - wall_ - expected;
  if (ahead_ && elapsed - since_ >= kDoubted) ahead_.reset();
  if (known && ahead > (elapsed_ ? kTolerance : base::Duration{})) {
    ahead_ = ahead_.value_or(base::Duration{}) + ahead;
    since_ = elapsed;
  }
  wall_ = wall;
  elapsed_ = elapsed;
}

}  // namespace ebb::engine
