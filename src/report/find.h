// Which image of the node somebody means.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "image/observation.h"

namespace ebb::report {

// Index of the image that `reference`, a tag, digest, ID or the beginning of an ID (three digits
// or more), names. kUsage if there is none, with names that are like it, or if there are several.
base::Result<std::size_t> FindImage(const image::Observation& seen, std::string_view reference);

}  // namespace ebb::report
