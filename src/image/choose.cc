#include "image/choose.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <tuple>

namespace ebb::image {

std::vector<std::size_t> InEvictionOrder(const Observation& seen,
                                         std::vector<std::size_t> candidates) {
  const FreedSoFar alone(seen.store);
  std::vector<base::Bytes> frees(seen.images.size());
  for (const std::size_t i : candidates) frees[i] = alone.Marginal(i);
  const auto earlier = [&](std::size_t a, std::size_t b) {
    const Image& x = seen.images[a];
    const Image& y = seen.images[b];
    return std::tuple(LastSignOfLife(x), x.usage.first_seen, frees[b],
                      std::string_view(x.id.value)) < std::tuple(LastSignOfLife(y),
                                                                 y.usage.first_seen, frees[a],
                                                                 std::string_view(y.id.value));
  };
  std::ranges::sort(candidates, earlier);
  return candidates;
}

std::vector<std::size_t> Choose(const StoreGraph& store, std::span<const std::size_t> ordered,
                                base::Bytes need) {
  FreedSoFar freed(store);
  std::vector<std::size_t> taken;
  for (const std::size_t i : ordered) {
    if (freed.total() >= need) break;
    (void)freed.Add(i);
    taken.push_back(i);
  }
  if (freed.total() < need) return {};
  // The most recently used is put back first. What could not be put back once never can be:
  // every return only makes the rest more necessary.
  std::vector<std::size_t> chosen;
  for (const std::size_t i : std::views::reverse(taken)) {
    if (freed.total() - freed.Loss(i) >= need) {
      freed.PutBack(i);
    } else {
      chosen.push_back(i);
    }
  }
  std::ranges::reverse(chosen);
  return chosen;
}

}  // namespace ebb::image
