// `ebb explain IMAGE` for an image that is no longer on the node.
#pragma once

#include <string>

#include "base/time.h"
#include "image/past.h"
#include "report/style.h"

namespace ebb::report {

// What became of it and why, from the history. `now` is the time of the observation.
std::string RenderPastRemoval(const image::PastRemoval& past, base::TimePoint now,
                              const Style& style);

}  // namespace ebb::report
