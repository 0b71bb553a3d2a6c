#include "image/fill_rate.h"

#include <algorithm>

namespace ebb::image {
namespace {

constexpr base::Duration kBetween = std::chrono::seconds(10);
constexpr base::Duration kLeast = std::chrono::minutes(2);
constexpr base::Duration kMost = std::chrono::minutes(30);

double Seconds(base::Duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void FillRate::Add(base::Duration now, base::Bytes used) {
  if (!samples_.empty() && now - samples_.back().time < kBetween) return;
  samples_.push_back({now, static_cast<double>(used.count)});
  while (now - samples_.front().time > kMost) samples_.pop_front();
}

std::optional<double> FillRate::BytesPerSecond() const {
  if (samples_.empty() || samples_.back().time - samples_.front().time < kLeast) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(samples_.size());
  double mean_time = 0;
  double mean_used = 0;
  for (const Sample& sample : samples_) {
    mean_time += Seconds(sample.time - samples_.front().time) / count;
    mean_used += sample.used / count;
  }
  double together = 0;
  double spread = 0;
  for (const Sample& sample : samples_) {
    const double time = Seconds(sample.time - samples_.front().time) - mean_time;
    together += time * (sample.used - mean_used);
    spread += time * time;
  }
  return together / spread;
}

std::optional<double> RecordedRate(std::span<const Sample> samples, base::TimePoint now) {
  if (samples.empty() || now - samples.back().time > kMost) return std::nullopt;
  FillRate rate;
  base::Bytes available = samples.front().available;
  for (const Sample& sample : samples) {
    if (sample.available - available >= base::Bytes{sample.capacity.count / 100}) rate.Forget();
    available = sample.available;
    rate.Add(sample.time.time_since_epoch(), sample.capacity - sample.available);
  }
  return rate.BytesPerSecond();
}

std::optional<base::Duration> TimeToFill(base::Bytes bytes,
                                         std::optional<double> bytes_per_second) {
  constexpr double kYear = 365.0 * 24 * 3600;
  if (bytes.count <= 0) return base::Duration{};
  if (!bytes_per_second || *bytes_per_second <= 0) return std::nullopt;
  const double seconds = static_cast<double>(bytes.count) / *bytes_per_second;
  if (seconds > kYear) return std::nullopt;
  return std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace ebb::image
