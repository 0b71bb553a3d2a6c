#include "image/classes.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "image/exact_graph.h"

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

namespace {

using ByRank = std::map<int, std::vector<std::size_t>>;  // strongest first

// Without a store: what removing the weaker classes would free.
void ClassifyGraph(const Observation& seen, const ByRank& by_rank, ByteClasses& result) {
  std::vector<std::size_t> going;
  base::Bytes gone;
  for (const auto& [rank, images] : std::views::reverse(by_rank)) {
    going.insert(going.end(), images.begin(), images.end());
    const base::Bytes freed = seen.store.Freed(going);
    result.classes.push_back({.images = images.size(), .bytes = freed - gone});
    gone = freed;
  }
  std::ranges::reverse(result.classes);
  result.total = seen.store.Total();
}

// Marks one class of roots after the other: each counts what no stronger one has reached.
class StoreClasses {
 public:
  explicit StoreClasses(const Observation& seen)
      : store_(seen.objects), marked_(store_.objects.size()) {
    const auto owners = AssignRecords(store_, seen.images);
    records_.resize(seen.images.size());
    for (std::size_t root = 0; root < owners.size(); ++root) {
      if (owners[root]) {
        records_[*owners[root]].push_back(root);
      } else {
        const StoreRoot& other = store_.roots[root];
        others_[{other.kind, other.space}].push_back(root);
      }
    }
  }

  void Classify(const ByRank& by_rank, ByteClasses& result) {
    for (const auto& [rank, images] : by_rank) {
      if (rank == kRemovableRank) Elsewhere(result);
      base::Bytes bytes;
      for (const std::size_t image : images) bytes += Reach(records_[image]);
      result.classes.push_back({.images = images.size(), .bytes = bytes});
      result.total += bytes;
    }
    Elsewhere(result);
    for (std::size_t at = 0; at < marked_.size(); ++at) {
      if (!marked_[at]) result.garbage += store_.objects[at].disk;
    }
    std::ranges::sort(result.elsewhere, std::greater{}, &HeldElsewhere::bytes);
  }

 private:
  void Elsewhere(ByteClasses& result) {
    for (const auto& [what, roots] : std::exchange(others_, {})) {
      const base::Bytes bytes = Reach(roots);
      if (bytes.count == 0) continue;
      result.elsewhere.push_back({what.first, what.second, roots.size(), bytes});
    }
  }

  base::Bytes Reach(const std::vector<std::size_t>& roots) {
    std::vector<StoreObject::Index> waiting;
    for (const std::size_t root : roots) {
      const auto& kept = store_.roots[root].keeps;
      waiting.insert(waiting.end(), kept.begin(), kept.end());
    }
    base::Bytes bytes;
    while (!waiting.empty()) {
      const StoreObject::Index at = waiting.back();
      waiting.pop_back();
      if (marked_[at]) continue;
      marked_[at] = true;
      const StoreObject& object = store_.objects[at];
      bytes += object.disk;
      waiting.insert(waiting.end(), object.keeps.begin(), object.keeps.end());
    }
    return bytes;
  }

  const Store& store_;
  std::vector<bool> marked_;
  std::vector<std::vector<std::size_t>> records_;
  std::map<std::pair<StoreRoot::Kind, std::string>, std::vector<std::size_t>> others_;
};

}  // namespace

ByteClasses ClassifyBytes(const Observation& seen, const Plan& plan) {
  const std::vector<Reason> reasons = ReasonPerImage(seen, plan);
  ByRank by_rank;
  for (std::size_t i = 0; i < reasons.size(); ++i) by_rank[RankOf(reasons[i])].push_back(i);
  ByteClasses result;
  if (seen.objects.roots.empty()) {
    ClassifyGraph(seen, by_rank, result);
  } else {
    StoreClasses(seen).Classify(by_rank, result);
  }
  std::size_t place = 0;
  for (const auto& [rank, images] : by_rank) {
    if (rank != kRemovableRank) result.classes[place].reason = reasons[images.front()];
    ++place;
  }
  result.estimated = seen.store.accounting() != Accounting::kExact;
  base::Bytes known = result.total + result.garbage;
  for (const HeldElsewhere& held : result.elsewhere) known += held.bytes;
  if (const Filesystem* filesystem = ImageFilesystem(seen, plan)) {
    if (filesystem->measured()) {
      result.not_images = std::max(base::Bytes{}, filesystem->used() - known);
    }
  }
  return result;
}

std::string WhoHoldsTheDisk(const ByteClasses& classes) {
  base::Bytes staying;
  std::string by_reason;
  for (const ByteClass& entry : classes.classes) {
    if (!entry.reason) continue;
    staying += entry.bytes;
    by_reason += by_reason.empty() ? ": " : ", ";
    by_reason += std::string(Code(*entry.reason)) + " " + std::to_string(entry.images) + " (" +
                 base::FormatBytes(entry.bytes) + ")";
  }
  base::Bytes elsewhere = classes.garbage;
  for (const HeldElsewhere& held : classes.elsewhere) elsewhere += held.bytes;
  std::string text = "images that must stay hold " + base::FormatBytes(staying) + by_reason;
  if (elsewhere.count > 0) text += "; other holders " + base::FormatBytes(elsewhere);
  if (classes.not_images) {
    text += "; what is no image at all " + base::FormatBytes(*classes.not_images);
  }
  return text;
}

}  // namespace ebb::image
