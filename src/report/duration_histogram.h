// How often something took how long, in fixed buckets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/time.h"

namespace ebb::report {

class DurationHistogram {
 public:
  // Upper bounds in seconds; what is longer than the last is only in count().
  static constexpr std::array kBounds = {0.005, 0.01, 0.025, 0.05, 0.1,  0.25,  0.5,  1.0,
                                         2.5,   5.0,  10.0,  30.0, 60.0, 120.0, 300.0};

  void Add(base::Duration duration) {
    const double seconds = std::chrono::duration<double>(duration).count();
    const auto* bucket = std::ranges::lower_bound(kBounds, seconds);
    ++counts_[static_cast<std::size_t>(bucket - kBounds.begin())];
    ++count_;
    sum_ += duration;
  }

  std::uint64_t count() const { return count_; }
  base::Duration sum() const { return sum_; }
  // How many took at most kBounds[bound] and more than the bound before it.
  std::uint64_t in_bucket(std::size_t bound) const { return counts_[bound]; }

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};
  std::uint64_t count_ = 0;
  base::Duration sum_{};
};

}  // namespace ebb::report
