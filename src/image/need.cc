#include "image/need.h"

#include <algorithm>

namespace ebb::image {
namespace {

// Bytes that stand for inodes where nobody tells how many a layer has: as on the whole filesystem.
base::Bytes StandIn(const Filesystem& fs, std::int64_t inodes) {
  if (inodes <= 0) return {};
  const std::int64_t used = std::max<std::int64_t>(1, fs.inodes - fs.inodes_free);
  const double each = static_cast<double>(fs.used().count) / static_cast<double>(used);
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(each * static_cast<double>(inodes)))};
}

base::Bytes BytesFor(const Filesystem& fs, const Marks& marks, const Target& target) {
  base::Bytes wanted = fs.available;
  switch (target.kind) {
    case Target::Kind::kMarks:
      if (UsedPercent(fs) >= marks.high) wanted = base::AvailableAt(fs.capacity, marks.low);
      break;
    case Target::Kind::kUsedPercent: wanted = base::AvailableAt(fs.capacity, target.percent); break;
    case Target::Kind::kFreeBytes: return target.bytes;
    case Target::Kind::kAvailable: wanted = std::min(target.bytes, fs.capacity); break;
    case Target::Kind::kInodes: return StandIn(fs, target.count - fs.inodes_free);
    case Target::Kind::kUnusedFor:
    case Target::Kind::kImages:
    case Target::Kind::kAllUnused: break;
  }
  return std::max(base::Bytes{}, wanted - fs.available);
}

}  // namespace

bool IsAboutBytes(const Target& target) {
  switch (target.kind) {
    case Target::Kind::kUnusedFor:
    case Target::Kind::kAllUnused:
    case Target::Kind::kImages: return false;
    default: return true;
  }
}

Need NeedOf(const Observation& seen, const Policy& policy, const Target& target) {
  Need need;
  need.marks = ResolveMarks(policy.marks, {});
  for (std::size_t i = 0; i < seen.filesystems.size(); ++i) {
    const Filesystem& fs = seen.filesystems[i];
    if (!fs.holds_images || !fs.measured()) continue;
    if (!target.mountpoint.empty() && fs.mountpoint != target.mountpoint) continue;
    const Marks marks = ResolveMarks(policy.marks, fs.capacity);
    const base::Bytes bytes = BytesFor(fs, marks, target);
    if (need.filesystem < 0 || bytes > need.bytes) {
      need = {.filesystem = static_cast<int>(i), .marks = marks, .bytes = bytes};
    }
  }
  return need;
}

}  // namespace ebb::image
