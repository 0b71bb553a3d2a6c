#include "image/need.h"

#include <algorithm>

namespace ebb::image {
namespace {

base::Bytes BytesFor(const Filesystem& fs, const Marks& marks, const Target& target) {
  base::Bytes wanted = fs.available;
  switch (target.kind) {
    case Target::Kind::kMarks:
      if (UsedPercent(fs) >= marks.high) wanted = base::AvailableAt(fs.capacity, marks.low);
      break;
    case Target::Kind::kUsedPercent: wanted = base::AvailableAt(fs.capacity, target.percent); break;
    case Target::Kind::kFreeBytes: return target.bytes;
    case Target::Kind::kUnusedFor:
    case Target::Kind::kAllUnused: break;
  }
  return std::max(base::Bytes{}, wanted - fs.available);
}

}  // namespace

bool IsAboutBytes(const Target& target) {
  return target.kind != Target::Kind::kUnusedFor && target.kind != Target::Kind::kAllUnused;
}

Need NeedOf(const Observation& seen, const Policy& policy, const Target& target) {
  Need need;
  need.marks = ResolveMarks(policy.marks, {});
  for (std::size_t i = 0; i < seen.filesystems.size(); ++i) {
    const Filesystem& fs = seen.filesystems[i];
    if (!fs.holds_images || !fs.measured()) continue;
    const Marks marks = ResolveMarks(policy.marks, fs.capacity);
    const base::Bytes bytes = BytesFor(fs, marks, target);
    if (need.filesystem < 0 || bytes > need.bytes) {
      need = {.filesystem = static_cast<int>(i), .marks = marks, .bytes = bytes};
    }
  }
  return need;
}

}  // namespace ebb::image
