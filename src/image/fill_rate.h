// How fast a filesystem fills, and when it will be full.
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "base/time.h"
#include "image/sample.h"

namespace ebb::image {

// A straight line through what was used in the last half hour. Times are monotonic.
class FillRate {
 public:
  // At most one sample in ten seconds counts.
  void Add(base::Duration now, base::Bytes used);
  // What was used before says nothing any more: something was removed.
  void Forget() { samples_.clear(); }

  // Bytes per second, negative while it empties; nullopt before two minutes have been seen.
  std::optional<double> BytesPerSecond() const;

 private:
  struct Sample {
    base::Duration time{};
    double used = 0;
  };
  std::deque<Sample> samples_;
};

// The same from what was recorded, oldest first, in the half hour before `now`. What lies before a
// hundredth of the capacity or more came free at once says nothing any more.
std::optional<double> RecordedRate(std::span<const Sample> samples, base::TimePoint now);

// How long until `bytes` more are used at that rate; nullopt: not as things go, or beyond a year.
std::optional<base::Duration> TimeToFill(base::Bytes bytes, std::optional<double> bytes_per_second);

}  // namespace ebb::image
