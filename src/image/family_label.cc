#include <algorithm>

#include "image/family.h"
#include "image/reference.h"

namespace ebb::image {

std::string FamilyLabel(const std::vector<Image>& images, const Family& family) {
  if (family.images.size() == 1) return "alone";
  if (family.base) return DisplayName(images[*family.base]);
  const auto repository = [&](std::size_t image) {
    return RepositoryOf(DisplayName(images[image]));
  };
  const auto first = repository(family.images.front());
  if (!first.empty() && std::ranges::all_of(family.images, [&](std::size_t image) {
        return repository(image) == first;
      })) {
    return std::string(first);
  }
  return std::to_string(family.images.size()) + " on one base";
}

}  // namespace ebb::image
