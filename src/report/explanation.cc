#include "report/explanation.h"

#include <algorithm>
#include <array>

#include "image/use.h"
#include "report/advice.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Observation;

image::Verdict VerdictOf(const image::Plan& plan, std::size_t image) {
  const auto found = std::ranges::find(plan.verdicts, image, &image::Verdict::image);
  if (found != plan.verdicts.end()) return *found;
  return {.image = image, .reason = image::Reason::kUnresolved};
}

// The store as if every image but those of `staying` were gone.
image::FreedSoFar AllGoneBut(const Observation& seen, std::initializer_list<std::size_t> staying) {
  image::FreedSoFar freed(seen.store);
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    if (std::ranges::find(staying, i) == staying.end()) (void)freed.Add(i);
  }
  return freed;
}

// What another image would bring back to an empty store, less what it would bring back if `image`
// were still there, is what the two have in common.
std::vector<Share> SharesOf(const Observation& seen, std::size_t image) {
  std::vector<Share> shares;
  if (seen.store.accounting() == image::Accounting::kReported) return shares;
  const image::FreedSoFar empty = AllGoneBut(seen, {});
  const image::FreedSoFar alone = AllGoneBut(seen, {image});
  for (std::size_t other = 0; other < seen.images.size(); ++other) {
    if (other == image) continue;
    const base::Bytes both = empty.Loss(other) - alone.Loss(other);
    if (both.count > 0) shares.push_back({other, both});
  }
  std::ranges::stable_sort(shares, std::greater<>{}, &Share::bytes);
  return shares;
}

// What the kubelet (v1.36) would do: it asks only whether a container that CRI lists uses or
// mounts the image, and whether the runtime reports it as pinned.
void JudgeKubelet(const image::Image& image, const image::Marks& marks, Explanation& explanation) {
  explanation.kubelet_removes = false;
  if (!explanation.containers.empty()) {
    explanation.kubelet_why = "a container uses it";
  } else if (!explanation.volumes.empty()) {
    explanation.kubelet_why = "a container mounts it as a volume";
  } else if (image.pinned) {
    explanation.kubelet_why = "the runtime reports it as pinned";
  } else {
    explanation.kubelet_removes = true;
    explanation.kubelet_why =
        marks.kubelet_high ? "from " + Text(*marks.kubelet_high) + " used, or under disk pressure"
                           : "above its imageGCHighThresholdPercent, or under disk pressure";
  }
}

// Whether pods can still start from the image after a kubelet that would remove it has.
void JudgeSurvival(const Observation& seen, const image::Image& image, Explanation& explanation) {
  const bool guarded =
      std::ranges::find(seen.guarded, image.id, &image::Guarded::id) != seen.guarded.end();
  explanation.survives_kubelet = true;
  if (!explanation.kubelet_removes) {
    explanation.survives_why = explanation.kubelet_why;
  } else if (guarded && seen.guard_stands_by) {
    explanation.survives_why = "the guard brings it back within a second";
  } else {
    explanation.survives_kubelet = false;
    explanation.survives_why = guarded ? "it is guarded, and no daemon stands by to bring it back"
                                       : "nothing brings it back without a registry";
  }
}

}  // namespace

Explanation ExplainImage(const Observation& seen, const image::Policy& policy,
                         const image::Plan& plan, std::size_t image) {
  const image::Image& subject = seen.images.at(image);
  const image::Uses uses = image::ResolveUses(seen.images, seen.containers);
  Explanation explanation{.verdict = VerdictOf(plan, image)};
  explanation.containers = uses.by_container[image];
  explanation.volumes = uses.by_volume[image];
  for (std::size_t s = 0; s < seen.sandbox_images.size(); ++s) {
    if (image::SameId(seen.sandbox_images[s].id.value, subject.id.value)) {
      explanation.sandbox_claims.push_back(s);
    }
  }
  for (const image::Pattern& pattern : policy.protect) {
    if (pattern.Matches(subject)) explanation.rules.push_back(pattern.text());
  }
  const std::array alone{image};
  explanation.on_disk = AllGoneBut(seen, {}).Loss(image);
  explanation.frees_alone = seen.store.Freed(alone);
  explanation.shares = SharesOf(seen, image);
  JudgeKubelet(subject, plan.marks, explanation);
  JudgeSurvival(seen, subject, explanation);
  explanation.advice = Advice(seen, policy, explanation.verdict);
  return explanation;
}

}  // namespace ebb::report
