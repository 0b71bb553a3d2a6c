#include "image/use.h"

#include "image/name_index.h"

namespace ebb::image {
namespace {

std::vector<std::size_t> ImagesOf(NameIndex& names, const Container& container) {
  for (const std::string* claim :
       {&container.image_id, &container.image_ref, &container.image_name}) {
    auto found = names.Find(*claim);
    if (!found.empty()) return found;
  }
  return {};
}

void AddOnce(std::vector<std::size_t>& to, std::size_t container) {
  if (to.empty() || to.back() != container) to.push_back(container);
}

}  // namespace

Uses ResolveUses(const std::vector<Image>& images, const std::vector<Container>& containers) {
  NameIndex names(images);
  Uses uses;
  uses.by_container.resize(images.size());
  uses.by_volume.resize(images.size());
  for (std::size_t c = 0; c < containers.size(); ++c) {
    const Container& container = containers[c];
    if (container.image_id.empty() && container.image_ref.empty() && container.image_name.empty()) {
      uses.unidentified.push_back(c);
    }
    for (const std::size_t i : ImagesOf(names, container)) AddOnce(uses.by_container[i], c);
    for (const std::string& volume : container.volume_images) {
      for (const std::size_t i : names.Find(volume)) AddOnce(uses.by_volume[i], c);
    }
  }
  return uses;
}

}  // namespace ebb::image
