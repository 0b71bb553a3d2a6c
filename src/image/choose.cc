#include "image/choose.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "image/put_back.h"

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

namespace {

Chosen LeastRecentlyUsed(const Observation& seen, const Wanted& wanted) {
  const Costs nothing{.image = std::vector<double>(seen.images.size()),
                      .piece = std::vector<double>(seen.store.piece_count())};
  return {.removals =
              TakeInOrder({seen.store, nothing, wanted.gone, wanted.unused, wanted.need}).images};
}

}  // namespace

Chosen ChooseRemovals(const Observation& seen, RemovalPolicy policy, const Wanted& wanted,
                      const std::vector<std::optional<std::size_t>>& superseded) {
  if (policy == RemovalPolicy::kLru) return LeastRecentlyUsed(seen, wanted);
  std::vector<std::size_t> all(wanted.gone.begin(), wanted.gone.end());
  all.insert(all.end(), wanted.unused.begin(), wanted.unused.end());
  const Costs costs = MakeCosts(seen, all, policy, superseded);
  Choice choice = ChooseFamilies({seen.store, costs, wanted.gone, wanted.unused, wanted.need});
  const auto within = choice.removals.empty() ? std::nullopt : choice.Within();
  return {std::move(choice.removals), std::move(choice.families), within};
}

}  // namespace ebb::image
