// Which image each container uses.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "image/observation.h"

namespace ebb::image {

// Per image index: containers (indices) that run or ran from it, and that mount it as a volume.
struct Uses {
  std::vector<std::vector<std::size_t>> by_container;
  std::vector<std::vector<std::size_t>> by_volume;
  // Containers that say nothing at all about their image: any image may be theirs.
  std::vector<std::size_t> unidentified;
};

// image_id first, then image_ref, then the name, each against every ID, digest and tag
// (reference: docs/image-gc.md "In use"). Containers of every state count.
Uses ResolveUses(const std::vector<Image>& images, const std::vector<Container>& containers);

}  // namespace ebb::image
