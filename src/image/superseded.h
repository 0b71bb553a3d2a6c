// Which images have been replaced by a newer one of their repository.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "image/image.h"

namespace ebb::image {

// Per image: an image of a same repository that came to this node later and was first seen or
// started here after this one's last sign of life; the latest such. Such an image is hardly ever
// wanted again (measured: a tenth as often).
std::vector<std::optional<std::size_t>> SupersededBy(const std::vector<Image>& images);

}  // namespace ebb::image
