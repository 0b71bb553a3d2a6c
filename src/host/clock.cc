#include "host/clock.h"

#include <ctime>

namespace ebb::host {
namespace {

base::Duration Read(clockid_t clock) {
  timespec time{};
  (void)::clock_gettime(clock, &time);  // these clocks exist on every Linux
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

base::TimePoint SystemClock::Now() {
  return base::TimePoint(Read(CLOCK_REALTIME));
}

base::Duration SystemClock::Elapsed() {
  return Read(CLOCK_BOOTTIME);
}

void SystemClock::SleepFor(base::Duration time) {
  if (time <= base::Duration::zero()) return;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec wanted = {.tv_sec = whole.count(), .tv_nsec = (time - whole).count()};
  (void)::clock_nanosleep(CLOCK_MONOTONIC, 0, &wanted, nullptr);
}

}  // namespace ebb::host
