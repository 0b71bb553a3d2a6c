#include "image/superseded.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

#include "image/repository.h"

namespace ebb::image {
namespace {

base::TimePoint LastArrivalOrStart(const Image& image) {
  return std::max(image.usage.first_seen, image.usage.last_start);
}

// The latest sign wins; equal signs are settled by ID, so the order of listing plays no part.
bool Later(const Image& a, const Image& b) {
  return std::tuple(LastArrivalOrStart(a), std::string_view(b.id.value)) >
         std::tuple(LastArrivalOrStart(b), std::string_view(a.id.value));
}

using Who = std::optional<std::size_t>;

Who LaterOf(const std::vector<Image>& images, Who a, Who b) {
  if (!a || !b) return a ? a : b;
  return Later(images[*b], images[*a]) ? b : a;
}

void WithinRepository(const std::vector<Image>& images, std::vector<std::size_t> members,
                      std::vector<Who>& by) {
  const auto seen = [&](std::size_t i) { return images[i].usage.first_seen; };
  std::ranges::sort(members, std::greater<>{}, seen);
  Who latest;    // of those that came strictly later
  Who together;  // of those that came at the same time
  for (const std::size_t i : members) {
    if (together && seen(*together) != seen(i)) {
      latest = LaterOf(images, latest, std::exchange(together, std::nullopt));
    }
    if (latest && LastArrivalOrStart(images[*latest]) > LastSignOfLife(images[i])) {
      by[i] = LaterOf(images, by[i], latest);
    }
    together = LaterOf(images, together, i);
  }
}

}  // namespace

std::vector<std::optional<std::size_t>> SupersededBy(const std::vector<Image>& images) {
  std::vector<Who> by(images.size());
  for (Repository& repository : ByRepository(images)) {
    WithinRepository(images, std::move(repository.images), by);
  }
  return by;
}

}  // namespace ebb::image
