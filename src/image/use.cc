#include "image/use.h"

#include <algorithm>
#include <unordered_map>

#include "image/reference.h"

namespace ebb::image {
namespace {

// Everything by which an image may be called, in one lookup table.
class NameIndex {
 public:
  explicit NameIndex(const std::vector<Image>& images) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      Add(IdKey(images[i].id.value), i);
      for (const std::string& name : images[i].tags) Add(Normalize(name), i);
      for (const std::string& name : images[i].digests) Add(Normalize(name), i);
    }
  }

  std::vector<std::size_t> Find(const std::string& reference) const {
    std::vector<std::size_t> found;
    if (reference.empty()) return found;
    Collect(IdKey(reference), found);
    if (found.empty()) Collect(Normalize(reference), found);
    return found;
  }

 private:
  // IDs are compared without "sha256:"; the brackets keep them apart from names.
  static std::string IdKey(std::string_view id) {
    if (id.starts_with("sha256:")) id.remove_prefix(7);
    return "<" + std::string(id) + ">";
  }
  void Add(std::string key, std::size_t image) { table_.emplace(std::move(key), image); }
  void Collect(const std::string& key, std::vector<std::size_t>& found) const {
    for (auto [at, end] = table_.equal_range(key); at != end; ++at) found.push_back(at->second);
  }

  std::unordered_multimap<std::string, std::size_t> table_;
};

std::vector<std::size_t> ImagesOf(const NameIndex& names, const Container& container) {
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
  const NameIndex names(images);
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
