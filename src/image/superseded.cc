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

}  // namespace

std::vector<std::optional<std::size_t>> SupersededBy(const std::vector<Image>& images) {
  std::vector<std::optional<std::size_t>> by(images.size());
  const auto replace = [&](std::size_t old, std::size_t fresh) {
    if (LastArrivalOrStart(images[fresh]) <= LastSignOfLife(images[old])) return;
    if (!by[old] || Later(images[fresh], images[*by[old]])) by[old] = fresh;
  };
  std::vector<std::pair<base::TimePoint, std::size_t>> group;
  for (const Repository& repository : ByRepository(images)) {
    group.clear();
    for (const std::size_t i : repository.images) group.emplace_back(images[i].usage.first_seen, i);
    std::ranges::sort(group, std::greater<>{});
    std::optional<std::size_t> latest;  // among those seen first strictly later
    for (std::size_t same = 0; same < group.size();) {
      std::size_t end = same;
      for (; end < group.size() && group[end].first == group[same].first; ++end) {
        if (latest) replace(group[end].second, *latest);
      }
      for (; same < end; ++same) {
        const std::size_t image = group[same].second;
        if (!latest || Later(images[image], images[*latest])) latest = image;
      }
    }
  }
  return by;
}

}  // namespace ebb::image
