// What the kubelet would remove for the same target, and what that would really free.
#pragma once

#include <vector>

#include "image/observation.h"

namespace ebb::image {

struct KubeletPlan {
  std::vector<std::size_t> images;  // in its order of removal
  base::Bytes believed;             // the sum of the reported sizes
  base::Bytes real;                 // what comes free, by the accounting in force
};

// As the kubelet (v1.36) does it: images that no listed container uses or mounts, not pinned and
// first seen at least `min_age` (its imageMinimumGCAge) ago, never used ones first, then least
// recently used, each counted by its reported size until the sum reaches `need`. Its own memory of
// use starts with its process; ours stands in for it. Full ties, which it breaks at random, are
// broken by ID.
KubeletPlan PlanOfKubelet(const Observation& seen, base::Bytes need,
                          base::Duration min_age = std::chrono::minutes(2));

}  // namespace ebb::image
