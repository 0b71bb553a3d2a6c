#include "image/choose.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "image/put_back.h"

namespace ebb::image {

namespace {

// What an image is sorted by, side by side in memory: the images themselves lie far apart.
struct Place {
  base::TimePoint sign_of_life;
  base::TimePoint first_seen;
  base::Bytes frees;
  std::size_t image;
};

}  // namespace

std::vector<std::size_t> InEvictionOrder(const Observation& seen,
                                         std::vector<std::size_t> candidates) {
  const FreedSoFar alone(seen.store);
  std::vector<Place> places;
  places.reserve(candidates.size());
  for (const std::size_t i : candidates) {
    const Image& image = seen.images[i];
    places.push_back({LastSignOfLife(image), image.usage.first_seen, alone.Marginal(i), i});
  }
  const auto id = [&](const Place& place) {
    return std::string_view(seen.images[place.image].id.value);
  };
  std::ranges::sort(places, [&](const Place& x, const Place& y) {
    const auto x_key = std::tie(x.sign_of_life, x.first_seen, y.frees);
    const auto y_key = std::tie(y.sign_of_life, y.first_seen, x.frees);
    return x_key != y_key ? x_key < y_key : id(x) < id(y);
  });
  std::ranges::transform(places, candidates.begin(), &Place::image);
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
