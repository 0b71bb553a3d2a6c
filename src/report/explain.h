// `ebb explain IMAGE`: why it stays or goes, and what would change that.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

// `reference` as FindImage takes it, and its errors. Wide lists every holder and name; name gives
// the full ID.
base::Result<std::string> RenderExplain(const image::Observation& seen, const image::Policy& policy,
                                        const image::Plan& plan, std::string_view reference,
                                        const Style& style);

}  // namespace ebb::report
