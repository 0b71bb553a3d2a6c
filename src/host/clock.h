// The machine's clocks.
#pragma once

#include "engine/ports.h"

namespace ebb::host {

class SystemClock : public engine::Clock {
 public:
  base::TimePoint Now() override;
  // Time since boot, sleep of the machine included: after a suspended virtual machine wakes up,
  // what was to be true for ten minutes is old, and back-offs are over.
  base::Duration Elapsed() override;
  // Returns early when a signal arrives, so that a stop is seen at once.
  void SleepFor(base::Duration time) override;
};

}  // namespace ebb::host
