// Points in time and durations, and their text forms.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::base {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::sys_time<Duration>;

// The epoch stands for "not known"; no promise is ever computed from it.
inline constexpr TimePoint kNever{};

// RFC 3339 in UTC with seconds, for example "2026-11-30T15:04:05Z".
std::string FormatTime(TimePoint time);

// RFC 3339 with "Z" or an offset, fraction optional.
Result<TimePoint> ParseTime(std::string_view text);

// Go's form, as Kubernetes prints durations: "168h0m0s", "2m0s", "1.5s", "0s".
std::string FormatDuration(Duration duration);

// For people: the two largest units, "3d4h", "5m", "12s", "now".
std::string FormatAge(Duration duration);

// Go durations ("168h", "2m30s", "1.5h") and days and weeks ("4d", "2w"). Negative: kUsage.
Result<Duration> ParseDuration(std::string_view text);

}  // namespace ebb::base
