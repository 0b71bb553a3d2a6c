// `ebb layers`, `ebb leases` and `ebb explain layer`: the runtime's own store, and who keeps what.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "image/observation.h"
#include "image/plan.h"
#include "report/style.h"

namespace ebb::report {

// Each is kUnsupported, in one sentence, where the runtime's store could not be read.

// Unpacked layers as they stand on each other: size, how many images, who else holds them. Name
// gives full names.
base::Result<std::string> RenderLayers(const image::Observation& seen, const Style& style);

// Who holds what until when, and what a lease does and does not protect.
base::Result<std::string> RenderLeases(const image::Observation& seen, const Style& style);

// Everybody who keeps one layer or blob, and what would have to go before it does. Errors as
// image::FindObject.
base::Result<std::string> RenderExplainLayer(const image::Observation& seen,
                                             const image::Plan& plan, std::string_view reference,
                                             const Style& style);

}  // namespace ebb::report
