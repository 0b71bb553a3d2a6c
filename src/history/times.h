// Times as columns: nanoseconds since 1970 in UTC, 0 where not known.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace ebb::history {

inline base::TimePoint Time(std::int64_t count) {
  return base::TimePoint(base::Duration(count));
}

inline std::int64_t Count(base::TimePoint time) {
  return time.time_since_epoch().count();
}

}  // namespace ebb::history
