// Times as containerd tells them.
#pragma once

#include "base/time.h"
#include "types.pb.h"

namespace ebb::containerd {

// kNever for what is before 1970, as a time that was never set is, or too far off to be meant.
inline base::TimePoint ToTime(const ::containerd::types::Time& time) {
  constexpr std::int64_t kYear2200 = 7'258'118'400;
  if (time.seconds() <= 0 || time.seconds() > kYear2200) return base::kNever;
  return base::TimePoint(std::chrono::seconds(time.seconds()) +
                         std::chrono::nanoseconds(time.nanos()));
}

}  // namespace ebb::containerd
