// How much one run may remove at most (P9).
#include <algorithm>

#include "base/text.h"
#include "image/plan.h"

namespace ebb::image {

std::size_t RemovalLimit(const Plan& plan, const Observation& seen, const BlastRadius& radius) {
  const std::size_t percent =
      seen.images.size() * static_cast<std::size_t>(radius.max_percent.value) / 100;
  const std::size_t most =
      std::min({plan.removals + plan.reserve, radius.max_images, std::max(percent, plan.removals)});
  FreedSoFar freed(seen.store);
  for (std::size_t v = 0; v < most; ++v) {
    (void)freed.Add(plan.verdicts[v].image);
    if (radius.max_bytes && freed.total() > *radius.max_bytes) return v;
  }
  return most;
}

Plan CutToRadius(Plan plan, const Observation& seen, const BlastRadius& radius) {
  if (BeyondRadius(plan, seen, radius).empty()) return plan;
  const std::size_t share =
      seen.images.size() * static_cast<std::size_t>(radius.max_percent.value) / 100;
  plan.removals = std::min({plan.removals, radius.max_images, share});
  plan.reserve = 0;
  plan.removals = RemovalLimit(plan, seen, radius);
  for (std::size_t v = plan.removals; v < plan.verdicts.size() && plan.verdicts[v].remove; ++v) {
    plan.verdicts[v].remove = false;
    plan.verdicts[v].reason = Reason::kBeyondLimit;
  }
  plan.predicted = plan.removals == 0 ? base::Bytes{} : plan.verdicts[plan.removals - 1].total;
  plan.overshoot = std::max(base::Bytes{}, plan.predicted - plan.need);
  return plan;
}

std::string BeyondRadius(const Plan& plan, const Observation& seen, const BlastRadius& radius) {
  if (plan.removals > radius.max_images) {
    return "the plan removes " + base::Count(plan.removals, "image") + ", more than the " +
           std::to_string(radius.max_images) + " one run may; raise it with --max-images";
  }
  if (plan.removals * 100 >
      seen.images.size() * static_cast<std::size_t>(radius.max_percent.value)) {
    return "the plan removes " + std::to_string(plan.removals) + " of " +
           base::Count(seen.images.size(), "image") + ", more than " +
           std::to_string(radius.max_percent.value) + "%; raise it with --max-percent";
  }
  if (radius.max_bytes && plan.predicted > *radius.max_bytes) {
    return "the plan frees about " + base::FormatBytes(plan.predicted) + ", more than the " +
           base::FormatBytes(*radius.max_bytes) + " one run may; raise it with --max-bytes";
  }
  return {};
}

}  // namespace ebb::image
