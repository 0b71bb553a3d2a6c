// What the guard guards, and how well each image is off.
#pragma once

#include <string>

#include "image/observation.h"
#include "report/style.h"

namespace ebb::report {

// One row per guarded image: why, and whether the loss of it is prevented (the runtime reports it
// as pinned), would be repaired (somebody stands by), or neither (exposed). One that is not on the
// node is lost.
std::string RenderGuard(const image::Observation& seen, const Style& style);

}  // namespace ebb::report
