#include "image/kubelet_plan.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "image/use.h"

namespace ebb::image {
namespace {

std::vector<std::size_t> InItsOrder(const Observation& seen, base::Duration min_age) {
  const Uses uses = ResolveUses(seen.images, seen.containers);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    const Image& image = seen.images[i];
    if (image.id.value.empty() || image.pinned) continue;
    if (!uses.by_container[i].empty() || !uses.by_volume[i].empty()) continue;
    if (seen.taken_at - image.usage.first_seen >= min_age) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const Image& image = seen.images[i];
    return std::tuple(image.usage.last_used, image.usage.first_seen,
                      std::string_view(image.id.value));
  });
  return order;
}

}  // namespace

KubeletPlan PlanOfKubelet(const Observation& seen, base::Bytes need, base::Duration min_age) {
  KubeletPlan plan;
  for (const std::size_t i : InItsOrder(seen, min_age)) {
    if (plan.believed >= need) break;
    plan.images.push_back(i);
    plan.believed += seen.images[i].size;
  }
  plan.real = seen.store.Freed(plan.images);
  return plan;
}

}  // namespace ebb::image
