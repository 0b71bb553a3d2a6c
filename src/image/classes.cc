#include "image/classes.h"

#include <algorithm>
#include <map>

namespace ebb::image {
namespace {

constexpr int kTooYoungRank = 1000;
constexpr int kRemovableRank = 1001;

// The lower, the stronger.
int RankOf(Reason reason) {
  if (TierOf(reason) == Tier::kFree) return kRemovableRank;
  return reason == Reason::kTooYoung ? kTooYoungRank : static_cast<int>(reason);
}

std::vector<Reason> ReasonPerImage(const Observation& seen, const Plan& plan) {
  std::vector<Reason> reasons(seen.images.size(), Reason::kUnresolved);
  for (const Verdict& verdict : plan.verdicts) reasons.at(verdict.image) = verdict.reason;
  return reasons;
}

}  // namespace

const Filesystem* ImageFilesystem(const Observation& seen, const Plan& plan) {
  if (plan.filesystem >= 0 && static_cast<std::size_t>(plan.filesystem) < seen.filesystems.size()) {
    return &seen.filesystems[static_cast<std::size_t>(plan.filesystem)];
  }
  const auto found = std::ranges::find_if(seen.filesystems, [](const Filesystem& filesystem) {
    return filesystem.holds_images && filesystem.measured();
  });
  return found == seen.filesystems.end() ? nullptr : &*found;
}

ByteClasses ClassifyBytes(const Observation& seen, const Plan& plan) {
  const std::vector<Reason> reasons = ReasonPerImage(seen, plan);
  std::map<int, std::vector<std::size_t>, std::greater<>> by_rank;  // weakest first
  for (std::size_t i = 0; i < reasons.size(); ++i) by_rank[RankOf(reasons[i])].push_back(i);

  ByteClasses result;
  std::vector<std::size_t> going;
  base::Bytes gone;
  for (const auto& [rank, images] : by_rank) {
    going.insert(going.end(), images.begin(), images.end());
    const base::Bytes freed = seen.store.Freed(going);
    std::optional<Reason> reason;
    if (rank != kRemovableRank) reason = reasons[images.front()];
    result.classes.push_back({reason, images.size(), freed - gone});
    gone = freed;
  }
  std::ranges::reverse(result.classes);
  result.total = seen.store.Total();
  result.estimated = seen.store.accounting() != Accounting::kExact;
  if (const Filesystem* filesystem = ImageFilesystem(seen, plan)) {
    if (filesystem->measured()) {
      result.not_images = std::max(base::Bytes{}, filesystem->used() - result.total);
    }
  }
  return result;
}

}  // namespace ebb::image
