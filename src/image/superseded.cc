#include "image/superseded.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "image/reference.h"

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

std::vector<std::vector<std::size_t>> ByRepository(const std::vector<Image>& images) {
  std::unordered_map<std::string_view, std::size_t> place;
  place.reserve(images.size());
  std::vector<std::vector<std::size_t>> groups;
  const auto add = [&](std::string_view repository, std::size_t image) {
    if (repository.empty()) return;
    const auto [at, fresh] = place.try_emplace(repository, groups.size());
    if (fresh) groups.emplace_back();
    auto& group = groups[at->second];
    if (group.empty() || group.back() != image) group.push_back(image);
  };
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (const std::string& name : images[i].tags) add(RepositoryOf(name), i);
    for (const std::string& name : images[i].digests) add(RepositoryOf(name), i);
  }
  return groups;
}

std::vector<std::optional<std::size_t>> SupersededBy(const std::vector<Image>& images) {
  std::vector<std::optional<std::size_t>> by(images.size());
  const auto replace = [&](std::size_t old, std::size_t fresh) {
    if (LastArrivalOrStart(images[fresh]) <= LastSignOfLife(images[old])) return;
    if (!by[old] || Later(images[fresh], images[*by[old]])) by[old] = fresh;
  };
  for (auto& group : ByRepository(images)) {
    std::ranges::sort(group, std::greater<>{},
                      [&](std::size_t i) { return images[i].usage.first_seen; });
    std::optional<std::size_t> latest;  // among those seen first strictly later
    for (std::size_t same = 0; same < group.size();) {
      const base::TimePoint seen = images[group[same]].usage.first_seen;
      std::size_t end = same;
      for (; end < group.size() && images[group[end]].usage.first_seen == seen; ++end) {
        if (latest) replace(group[end], *latest);
      }
      for (; same < end; ++same) {
        if (!latest || Later(images[group[same]], images[*latest])) latest = group[same];
      }
    }
  }
  return by;
}

}  // namespace ebb::image
