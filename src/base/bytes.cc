#include "base/bytes.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace ebb::base {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr double kKibi = 1024;
constexpr double kKilo = 1000;
constexpr std::array kUnits = {
    Unit{"", 1},
    Unit{"B", 1},
    Unit{"k", kKilo},
    Unit{"K", kKilo},
    Unit{"M", kKilo* kKilo},
    Unit{"G", kKilo* kKilo* kKilo},
    Unit{"T", kKilo* kKilo* kKilo* kKilo},
    Unit{"P", kKilo* kKilo* kKilo* kKilo* kKilo},
    Unit{"Ki", kKibi},
    Unit{"Mi", kKibi* kKibi},
    Unit{"Gi", kKibi* kKibi* kKibi},
    Unit{"Ti", kKibi* kKibi* kKibi* kKibi},
    Unit{"Pi", kKibi* kKibi* kKibi* kKibi* kKibi},
};

double FactorOf(std::string_view unit) {
  if (unit.size() > 1 && unit.ends_with('B')) unit.remove_suffix(1);
  for (const Unit& known : kUnits) {
    if (known.name == unit) return known.factor;
  }
  return 0;
}

}  // namespace

std::string FormatBytes(Bytes bytes) {
  constexpr std::array kNames = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes.count);
  std::size_t unit = 0;
  // 1023.95 would be printed as "1024.0": step up before the rounding does it.
  while (std::fabs(value) >= (unit == 0 ? kKibi : kKibi - 0.05) && unit + 1 < kNames.size()) {
    value /= kKibi;
    ++unit;
  }
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value,
                      kNames.at(unit));
  return text.data();
}

Result<Bytes> ParseBytes(std::string_view text) {
  const auto bad = [&](const char* why) {
    return Error{ErrorCode::kUsage, "'" + std::string(text) + "' is not a size: " + why};
  };
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || !std::isfinite(number))
    return bad("write it like 5Gi, 500Mi or 1000");
  auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const double factor = FactorOf(unit);
  if (factor == 0) return bad("units are Ki, Mi, Gi, Ti, Pi, k, M, G, T, P");
  if (number < 0) return bad("it is negative");
  const double bytes = std::round(number * factor);
  if (bytes >= 9.2e18) return bad("it is too large");
  return Bytes{static_cast<std::int64_t>(bytes)};
}

}  // namespace ebb::base
