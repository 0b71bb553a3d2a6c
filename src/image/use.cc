#include "image/use.h"

#include <string_view>
#include <unordered_map>

#include "image/reference.h"

namespace ebb::image {
namespace {

// Everything by which an image may be called. Most containers are found by ID, so the table of
// names, which costs far more to make, is made when one is not.
class NameIndex {
 public:
  explicit NameIndex(const std::vector<Image>& images) : images_(images) {
    ids_.reserve(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) ids_.emplace(Bare(images[i].id.value), i);
  }

  std::vector<std::size_t> Find(const std::string& reference) {
    std::vector<std::size_t> found;
    if (reference.empty()) return found;
    Collect(ids_, Bare(reference), found);
    if (!found.empty()) return found;
    if (names_.empty()) IndexNames();
    Collect(names_, Normalize(reference), found);
    return found;
  }

 private:
  // IDs are compared without "sha256:".
  static std::string_view Bare(std::string_view id) {
    return id.starts_with("sha256:") ? id.substr(7) : id;
  }
  void IndexNames() {
    for (std::size_t i = 0; i < images_.size(); ++i) {
      for (const std::string& name : images_[i].tags) names_.emplace(Normalize(name), i);
      for (const std::string& name : images_[i].digests) names_.emplace(Normalize(name), i);
    }
  }
  template <class Table, class Key>
  static void Collect(const Table& table, const Key& key, std::vector<std::size_t>& found) {
    for (auto [at, end] = table.equal_range(key); at != end; ++at) found.push_back(at->second);
  }

  const std::vector<Image>& images_;
  std::unordered_multimap<std::string_view, std::size_t> ids_;
  std::unordered_multimap<std::string, std::size_t> names_;
};

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
