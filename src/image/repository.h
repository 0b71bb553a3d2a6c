// Images by the repository they come from.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "image/image.h"

namespace ebb::image {

// Its name points into the images it was made from.
struct Repository {
  std::string_view name;
  std::vector<std::size_t> images;  // each once, in the order of listing; never empty
};

// By tags and digests, as the runtime writes them. An image is in each of its repositories.
std::vector<Repository> ByRepository(const std::vector<Image>& images);

// Per image: the repository of whose `count` newest it is one, empty if there is none. Newest is
// what came to this node last; what came together is ordered by the last sign of life, then by ID.
std::vector<std::string_view> AmongNewest(const std::vector<Image>& images, std::size_t count);

// An image can be had again if a registry that is not on this node has it by digest.
bool CanComeBack(const Image& image);

}  // namespace ebb::image
