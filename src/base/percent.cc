#include "base/percent.h"

#include <algorithm>

namespace ebb::base {
namespace {

// A product of bytes and 100 leaves 64 bits at 92 PB.
__extension__ using Wide = __int128;

}  // namespace

Percent UsedPercent(Bytes capacity, Bytes available) {
  const Wide free = std::clamp(available.count, std::int64_t{0}, capacity.count);
  return {100 - static_cast<int>(free * 100 / capacity.count)};
}

Bytes AvailableAt(Bytes capacity, Percent used) {
  return {static_cast<std::int64_t>(static_cast<Wide>(capacity.count) * (100 - used.value) / 100)};
}

}  // namespace ebb::base
