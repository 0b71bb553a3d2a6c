#include "base/time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace ebb::base {
namespace {

using std::chrono::days;
using std::chrono::duration_cast;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

struct Unit {
  std::string_view name;
  double nanoseconds;
};

// Longer names first: "ms" must not be read as "m".
constexpr std::array kUnits = {
    Unit{"ns", 1},   Unit{"us", 1e3},   Unit{"µs", 1e3},    Unit{"ms", 1e6},     Unit{"s", 1e9},
    Unit{"m", 60e9}, Unit{"h", 3600e9}, Unit{"d", 86400e9}, Unit{"w", 604800e9},
};

Error BadDuration(std::string_view text) {
  return {ErrorCode::kUsage,
          "'" + std::string(text) + "' is not a duration: write it like 168h, 2m30s or 4d"};
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Digits alone: a sign is no part of a time.
bool ReadInt(std::string_view text, std::size_t at, std::size_t length, int& value) {
  if (at + length > text.size()) return false;
  value = 0;
  for (const char c : text.substr(at, length)) {
    if (!IsDigit(c)) return false;
    value = value * 10 + (c - '0');
  }
  return true;
}

// "2026-11-30T15:04:05" at the front; RFC 3339 also allows a small t, or a space for people.
bool HasTimeMarks(std::string_view text) {
  return text.size() >= 19 && text[4] == '-' && text[7] == '-' &&
         std::string_view("Tt ").contains(text[10]) && text[13] == ':' && text[16] == ':';
}

// "Z", "+02:00" or "-07:30"; anything else is refused.
bool ReadZone(std::string_view zone, minutes& offset) {
  if (zone == "Z" || zone == "z") return true;
  int hour = 0;
  int minute = 0;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return false;
  if (!ReadInt(zone, 1, 2, hour) || !ReadInt(zone, 4, 2, minute)) return false;
  if (hour > 23 || minute > 59) return false;
  offset = minutes(hour * 60 + minute) * (zone[0] == '-' ? -1 : 1);
  return true;
}

// ".123456789" at the front of `text` is taken off and returned in nanoseconds.
Duration TakeFraction(std::string_view& text) {
  if (!text.starts_with('.')) return {};
  text.remove_prefix(1);
  std::int64_t value = 0;
  std::int64_t scale = 1'000'000'000;
  while (!text.empty() && IsDigit(text[0])) {
    if (scale > 1) value += (text[0] - '0') * (scale /= 10);
    text.remove_prefix(1);
  }
  return Duration(value);
}

}  // namespace

std::string FormatTime(TimePoint time) {
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<seconds>(time - day));
  std::array<char, 40> text{};
  (void)std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02ld:%02ld:%02ldZ",
                      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                      static_cast<unsigned>(date.day()), static_cast<long>(clock.hours().count()),
                      static_cast<long>(clock.minutes().count()),
                      static_cast<long>(clock.seconds().count()));
  return text.data();
}

Result<TimePoint> ParseTime(std::string_view text) {
  const Error bad{ErrorCode::kUsage, "'" + std::string(text) + "' is not an RFC 3339 time"};
  if (!HasTimeMarks(text)) return bad;
  std::array<int, 6> part{};
  constexpr std::array<std::size_t, 6> kAt = {0, 5, 8, 11, 14, 17};
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!ReadInt(text, kAt[i], i == 0 ? 4 : 2, part[i])) return bad;
  }
  std::string_view rest = text.substr(19);
  const Duration fraction = TakeFraction(rest);
  minutes offset{};
  const std::chrono::year_month_day date{std::chrono::year(part[0]),
                                         std::chrono::month(static_cast<unsigned>(part[1])),
                                         std::chrono::day(static_cast<unsigned>(part[2]))};
  if (!date.ok() || part[3] > 23 || part[4] > 59 || part[5] > 60 || !ReadZone(rest, offset))
    return bad;
  // Outside 1678..2262 a 64-bit count of nanoseconds overflows: such a time is not known.
  if (part[0] < 1678 || part[0] > 2261) return kNever;
  return TimePoint(std::chrono::sys_days(date)) + hours(part[3]) + minutes(part[4]) +
         seconds(part[5]) + fraction - offset;
}

std::string FormatDuration(Duration duration) {
  if (duration < Duration::zero()) return "-" + FormatDuration(-duration);
  const auto whole = duration_cast<hours>(duration);
  const auto minute = duration_cast<minutes>(duration - whole);
  const auto rest = std::chrono::duration<double>(duration - whole - minute).count();
  std::array<char, 64> text{};
  const auto h = static_cast<long>(whole.count());
  const auto m = static_cast<long>(minute.count());
  if (h > 0) {
    (void)std::snprintf(text.data(), text.size(), "%ldh%ldm%.9gs", h, m, rest);
  } else if (m > 0) {
    (void)std::snprintf(text.data(), text.size(), "%ldm%.9gs", m, rest);
  } else {
    (void)std::snprintf(text.data(), text.size(), "%.9gs", rest);
  }
  return text.data();
}

std::string FormatAge(Duration duration) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  const auto total = duration_cast<seconds>(duration).count();
  if (total <= 0) return "now";
  constexpr std::array<std::pair<std::int64_t, char>, 4> kParts = {
      {{kDay, 'd'}, {kHour, 'h'}, {kMinute, 'm'}, {1, 's'}}};
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (total < kParts[i].first) continue;
    std::string text = std::to_string(total / kParts[i].first) + kParts[i].second;
    // Below ten of the first unit the second one still says something.
    const auto [above, below] = std::pair(kParts[i].first, i == 0 ? kHour : kMinute);
    const bool telling = i < 2 && total < 10 * above && total % above >= below;
    if (telling) text += std::to_string(total % above / below) + (i == 0 ? 'h' : 'm');
    return text;
  }
  return "now";
}

Result<Duration> ParseDuration(std::string_view text) {
  if (text == "0") return Duration::zero();
  std::string_view rest = text;
  double total = 0;
  while (!rest.empty()) {
    double number = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (failure != std::errc() || number < 0 || !std::isfinite(number)) return BadDuration(text);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto* const unit = std::ranges::find_if(
        kUnits, [&](const Unit& known) { return rest.starts_with(known.name); });
    if (unit == kUnits.end()) return BadDuration(text);
    rest.remove_prefix(unit->name.size());
    total += number * unit->nanoseconds;
  }
  if (text.empty() || total > 9.2e18) return BadDuration(text);
  return Duration(static_cast<std::int64_t>(std::round(total)));
}

}  // namespace ebb::base
