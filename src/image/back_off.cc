#include "image/back_off.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace ebb::image {

base::TimePoint RetryAt(const Setback& setback) {
  constexpr base::Duration kFirst = std::chrono::minutes(5);
  constexpr base::Duration kLongest = std::chrono::hours(24);
  constexpr int kDoublings = 9;  // beyond these it is a day anyway
  if (setback.count <= 0) return base::kNever;
  const base::Duration wait = kFirst * (1 << std::min(setback.count - 1, kDoublings));
  return setback.last + std::min(wait, kLongest);
}

std::optional<Shield> BackOff(const Image& image, base::TimePoint now) {
  const Setback& setback = image.setback;
  if (setback.last > now) return std::nullopt;
  const base::TimePoint retry = RetryAt(setback);
  if (setback.count <= 0 || retry <= now) return std::nullopt;
  const std::string times =
      setback.count == 1 ? "" : " " + std::to_string(setback.count) + " times";
  return Shield{setback.held ? Reason::kHeld : Reason::kBackOff,
                (setback.held ? "refused" : "failed") + times + ", tried again in " +
                    base::FormatAge(retry - now) + ": " + setback.detail};
}

}  // namespace ebb::image
