#include "image/image.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace ebb::image {
namespace {

void AddMissing(std::vector<std::string>& to, std::vector<std::string>& from) {
  for (std::string& name : from) {
    if (std::ranges::find(to, name) == to.end()) to.push_back(std::move(name));
  }
}

// 1 for a start at `now`, half of it for each half-life before; times in the future are now.
double Weight(base::TimePoint start, base::TimePoint now) {
  const auto age = std::chrono::duration<double>(std::max(base::Duration{}, now - start));
  return std::exp2(-age / std::chrono::duration<double>(kStartHalfLife));
}

}  // namespace

double RecentStarts(const Usage& usage, base::TimePoint now) {
  if (usage.recent_starts > 0) return usage.recent_starts * Weight(usage.last_start, now);
  return usage.starts > 0 ? Weight(std::max(usage.last_used, usage.last_start), now) : 0;
}

base::TimePoint LastSignOfLife(const Image& image) {
  return std::max({image.usage.first_seen, image.usage.last_used, image.usage.last_pulled});
}

const std::string& DisplayName(const Image& image) {
  if (!image.tags.empty()) return image.tags.front();
  if (!image.digests.empty()) return image.digests.front();
  return image.id.value;
}

std::vector<Image> MergeById(std::vector<Image> listed) {
  std::vector<Image> merged;
  std::unordered_map<ImageId, std::size_t> place;
  for (Image& image : listed) {
    const auto [at, fresh] = place.try_emplace(image.id, merged.size());
    // Entries without an ID cannot be the same image: each stays, and none is ever removed.
    if (fresh || image.id.value.empty()) {
      merged.push_back(std::move(image));
      continue;
    }
    Image& first = merged[at->second];
    AddMissing(first.tags, image.tags);
    AddMissing(first.digests, image.digests);
    first.size = std::max(first.size, image.size);
    first.pinned = first.pinned || image.pinned;
    AddMissing(first.handlers, image.handlers);
  }
  return merged;
}

}  // namespace ebb::image
