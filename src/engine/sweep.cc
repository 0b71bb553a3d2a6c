#include "engine/sweep.h"

namespace ebb::engine {
namespace {

constexpr base::Duration kBetweenSweeps = std::chrono::hours(1);
constexpr std::string_view kLastSweep = "last-sweep";

// A time in the future is of a clock that was ahead.
bool TooSoon(const Ports& ports) {
  if (ports.history == nullptr) return true;
  const auto last = ports.history->Recall(kLastSweep);
  if (!last.ok()) return true;
  if (!last->has_value()) return false;
  const auto time = base::ParseTime(**last);
  const base::TimePoint now = ports.clock->Now();
  return time.ok() && *time <= now && now - *time < kBetweenSweeps;
}

}  // namespace

bool MaySweep(const Ports& ports, const image::Observation& seen) {
  return ports.holder != nullptr && image::Garbage(seen.objects).count > 0 && !TooSoon(ports);
}

base::Result<base::Bytes> Sweep(const Ports& ports, const image::Observation& seen) {
  if (!MaySweep(ports, seen)) return base::Bytes{};
  const base::Bytes garbage = image::Garbage(seen.objects);
  // Whatever comes of it: one that fails is not for every pass to try again.
  (void)ports.history->Remember(kLastSweep, base::FormatTime(ports.clock->Now()));
  const auto swept = ports.holder->Sweep();
  if (!swept.ok()) return swept.error();
  return garbage;
}

}  // namespace ebb::engine
