// How full a filesystem was at one time: what a forecast is made from.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/time.h"

namespace ebb::image {

struct Sample {
  base::TimePoint time = base::kNever;
  base::Bytes capacity;
  base::Bytes available;
  std::int64_t inodes_free = 0;

  bool operator==(const Sample&) const = default;
};

// Both ends belong to it.
struct Period {
  base::TimePoint since = base::kNever;
  base::TimePoint until = base::TimePoint::max();
};

}  // namespace ebb::image
