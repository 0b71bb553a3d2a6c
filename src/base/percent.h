// Used per cent of a filesystem, with the kubelet's rounding.
#pragma once

#include <compare>

#include "base/bytes.h"

namespace ebb::base {

// Whole per cent of capacity that is used.
struct Percent {
  int value = 0;
  auto operator<=>(const Percent&) const = default;
};

// As the kubelet computes it (v1.36): 100 - floor(available * 100 / capacity), so usage rounds up.
// `available` is what an unprivileged writer may still take (f_bavail); root's reserve counts as
// used. Requires capacity > 0; available beyond capacity counts as capacity.
Percent UsedPercent(Bytes capacity, Bytes available);

// Bytes that must be available for `used` per cent to be reached: capacity * (100 - used) / 100.
Bytes AvailableAt(Bytes capacity, Percent used);

}  // namespace ebb::base
