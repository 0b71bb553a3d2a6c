// When an image whose removal failed is tried again (P8).
#pragma once

#include <optional>

#include "image/image.h"
#include "image/protection.h"

namespace ebb::image {

// 5 minutes after the first failure, twice as long after each further one, at most a day: a
// kubelet that meets an image it cannot remove tries it in every pass, every 5 minutes, for ever.
// kNever if nothing failed since the image was last removed.
base::TimePoint RetryAt(const Setback& setback);

// Why it is left out now; nullopt if it may be tried. A last failure in the future (the clock was
// set back) says nothing about how long ago it was, and holds nobody back.
std::optional<Shield> BackOff(const Image& image, base::TimePoint now);

}  // namespace ebb::image
