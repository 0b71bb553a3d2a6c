#include "graph/reach.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace ebb::graph {
namespace {

using Indices = std::vector<std::size_t>;

class Walk {
 public:
  explicit Walk(const World& world) : world_(world), seen_(world.objects.size()) {
    for (std::size_t i = 0; i < world.objects.size(); ++i) {
      by_uid_.emplace(world.objects[i].id.uid, i);
      for (const OwnerReference& owner : world.objects[i].owners) {
        dependents_.emplace(owner.uid, i);
      }
    }
  }

  // Those not seen before, in the order of the world.
  Indices Dependents(std::string_view uid) { return Fresh(dependents_.equal_range(uid)); }
  Indices Owners(std::size_t object) {
    Indices owners;
    for (const OwnerReference& owner : world_.objects[object].owners) {
      const Indices found = Fresh(by_uid_.equal_range(owner.uid));
      owners.insert(owners.end(), found.begin(), found.end());
      // Whoever takes the same UID for its owner is bound to it, whether that is there or not.
      const Indices siblings = Dependents(owner.uid);
      owners.insert(owners.end(), siblings.begin(), siblings.end());
    }
    return owners;
  }
  void See(std::size_t object) { seen_[object] = true; }

 private:
  template <class Range>
  Indices Fresh(const Range& range) {
    Indices found;
    for (auto at = range.first; at != range.second; ++at) {
      if (!seen_[at->second]) found.push_back(at->second);
      seen_[at->second] = true;
    }
    std::ranges::sort(found);
    return found;
  }

  const World& world_;
  std::vector<bool> seen_;
  std::unordered_multimap<std::string_view, std::size_t> dependents_;  // by the UID they name
  std::unordered_multimap<std::string_view, std::size_t> by_uid_;
};

void Append(Indices& to, const Indices& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Reach ReachOf(const World& world, std::size_t object) {
  Walk walk(world);
  walk.See(object);
  Reach reach{.inside = {object}, .outside = {}};
  for (std::size_t next = 0; next < reach.inside.size(); ++next) {
    Append(reach.inside, walk.Dependents(world.objects[reach.inside[next]].id.uid));
  }
  for (const std::size_t inside : reach.inside) Append(reach.outside, walk.Owners(inside));
  for (std::size_t next = 0; next < reach.outside.size(); ++next) {
    const std::size_t at = reach.outside[next];
    Append(reach.outside, walk.Dependents(world.objects[at].id.uid));
    Append(reach.outside, walk.Owners(at));
  }
  return reach;
}

}  // namespace ebb::graph
