#include "image/superseded.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "image/repository.h"

namespace ebb::image {
namespace {

base::TimePoint LastArrivalOrStart(const Image& image) {
  return std::max(image.usage.first_seen, image.usage.last_start);
}

using Who = std::optional<std::size_t>;

// The latest sign wins; equal signs are settled by ID, so the order of listing plays no part.
class Latest {
 public:
  explicit Latest(const std::vector<Image>& images) : images_(images) {
    sign_.reserve(images.size());
    for (const Image& image : images) sign_.push_back(LastArrivalOrStart(image));
  }

  base::TimePoint SignOf(std::size_t i) const { return sign_[i]; }

  Who Of(Who a, Who b) const {
    if (!a || !b) return a ? a : b;
    if (sign_[*a] != sign_[*b]) return sign_[*a] > sign_[*b] ? a : b;
    return images_[*b].id.value > images_[*a].id.value ? b : a;
  }

 private:
  const std::vector<Image>& images_;
  std::vector<base::TimePoint> sign_;
};

struct Member {
  base::TimePoint seen;
  std::size_t image;
};

void WithinRepository(const std::vector<Image>& images, const Latest& order,
                      const std::vector<std::size_t>& indices, std::vector<Who>& by) {
  std::vector<Member> members;
  members.reserve(indices.size());
  for (const std::size_t i : indices) members.push_back({images[i].usage.first_seen, i});
  std::ranges::sort(members, std::greater<>{}, &Member::seen);
  Who latest;              // of those that came strictly later
  Who together;            // of those that came at the same time
  base::TimePoint same{};  // that time
  for (const auto& [seen, i] : members) {
    if (together && same != seen) {
      latest = order.Of(latest, std::exchange(together, std::nullopt));
    }
    if (latest && order.SignOf(*latest) > LastSignOfLife(images[i])) {
      by[i] = order.Of(by[i], latest);
    }
    together = order.Of(together, i);
    same = seen;
  }
}

}  // namespace

std::vector<std::optional<std::size_t>> SupersededBy(const std::vector<Image>& images) {
  std::vector<Who> by(images.size());
  const Latest order(images);
  for (const Repository& repository : ByRepository(images)) {
    WithinRepository(images, order, repository.images, by);
  }
  return by;
}

}  // namespace ebb::image
