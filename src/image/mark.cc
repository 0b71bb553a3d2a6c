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

}  // namespace ebb::image
