// Images by everything they may be called.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "image/image.h"

namespace ebb::image {

// Answers what Names() answers, for thousands of references without asking every image. Most
// callers name an ID, so the table of names, which costs far more to make, is made when one does
// not. Requires the images to outlive it unchanged.
class NameIndex {
 public:
  explicit NameIndex(const std::vector<Image>& images);

  // Indices of the images that an ID, tag or digest names; IDs first, and none for an empty one.
  std::vector<std::size_t> Find(const std::string& reference);

 private:
  void IndexNames();

  const std::vector<Image>& images_;
  std::unordered_multimap<std::string_view, std::size_t> ids_;
  std::unordered_multimap<std::string, std::size_t> names_;
};

}  // namespace ebb::image
