// `ebb images`: every image with its verdict.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

struct ImagesOptions {
  std::string sort_by;               // see SortVerdicts
  std::vector<std::string> filters;  // "key=value", all of them must hold; see ParseFilter
};

struct ImagesText {
  std::string text;
  std::string note;  // for stderr: why the list is empty; else empty
};

// kUsage for a filter or sort key that does not exist. Name gives full IDs, one per line.
base::Result<ImagesText> RenderImages(const image::Observation& seen, const image::Policy& policy,
                                      const image::Plan& plan, const ImagesOptions& options,
                                      const Style& style);

}  // namespace ebb::report
