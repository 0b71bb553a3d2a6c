#include <numeric>

#include "image/store.h"

namespace ebb::image {

std::vector<bool> Mark(const Store& store, std::span<const std::size_t> roots) {
  std::vector<bool> alive(store.objects.size());
  std::vector<StoreObject::Index> waiting;
  const auto reach = [&](const std::vector<StoreObject::Index>& kept) {
    for (const auto object : kept) {
      if (!alive[object]) waiting.push_back(object);
      alive[object] = true;
    }
  };
  for (const std::size_t root : roots) reach(store.roots[root].keeps);
  while (!waiting.empty()) {
    const auto object = waiting.back();
    waiting.pop_back();
    reach(store.objects[object].keeps);
  }
  return alive;
}

base::Bytes Garbage(const Store& store) {
  std::vector<std::size_t> all(store.roots.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<bool> alive = Mark(store, all);
  base::Bytes garbage;
  for (std::size_t object = 0; object < alive.size(); ++object) {
    if (!alive[object]) garbage += store.objects[object].disk;
  }
  return garbage;
}

}  // namespace ebb::image
