#include "image/name_index.h"

#include "image/reference.h"

namespace ebb::image {
namespace {

// IDs are compared without "sha256:".
std::string_view Bare(std::string_view id) {
  constexpr std::string_view kAlgorithm = "sha256:";
  return id.starts_with(kAlgorithm) ? id.substr(kAlgorithm.size()) : id;
}

template <class Table, class Key>
std::vector<std::size_t> All(const Table& table, const Key& key) {
  std::vector<std::size_t> found;
  for (auto [at, end] = table.equal_range(key); at != end; ++at) found.push_back(at->second);
  return found;
}

}  // namespace

NameIndex::NameIndex(const std::vector<Image>& images) : images_(images) {
  ids_.reserve(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) ids_.emplace(Bare(images[i].id.value), i);
}

std::vector<std::size_t> NameIndex::Find(const std::string& reference) {
  if (Bare(reference).empty()) return {};
  auto found = All(ids_, Bare(reference));
  if (!found.empty()) return found;
  if (names_.empty()) IndexNames();
  return All(names_, Normalize(reference));
}

void NameIndex::IndexNames() {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    for (const std::string& name : images_[i].tags) names_.emplace(Normalize(name), i);
    for (const std::string& name : images_[i].digests) names_.emplace(Normalize(name), i);
  }
}

}  // namespace ebb::image
