// Byte counts as a type, so that no byte is ever added to a percent.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::base {

struct Bytes {
  std::int64_t count = 0;

  auto operator<=>(const Bytes&) const = default;
  Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
  Bytes& operator-=(Bytes other) {
    count -= other.count;
    return *this;
  }
  friend Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
};

// "1.5 GiB": IEC units, one decimal from KiB up, as tables show sizes.
std::string FormatBytes(Bytes bytes);

// A Kubernetes quantity ("5Gi", "500Mi", "1.5G", "1000") or what people type ("10 GB", "5GiB").
// Negative, unknown unit, more than 2^63-1: kUsage, with the text that was given.
Result<Bytes> ParseBytes(std::string_view text);

}  // namespace ebb::base
