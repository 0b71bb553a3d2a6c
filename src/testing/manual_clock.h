// Time that moves only when a test says so.
#pragma once

#include "engine/ports.h"

namespace ebb::testing {

class ManualClock : public engine::Clock {
 public:
  base::TimePoint Now() override { return now_; }
  base::Duration Elapsed() override { return elapsed_; }
  void SleepFor(base::Duration time) override { Advance(time); }

  void Advance(base::Duration time) {
    now_ += time;
    elapsed_ += time;
  }
  // The wall clock is set; monotonic time does not move.
  void Set(base::TimePoint now) { now_ = now; }

 private:
  base::TimePoint now_ = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
  base::Duration elapsed_{};
};

}  // namespace ebb::testing
