// --filter key=value, and --sort-by, of `ebb images`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "image/observation.h"
#include "image/plan.h"

namespace ebb::report {

struct Filter {
  std::string text;  // as written
  std::function<bool(const image::Observation&, const image::Verdict&)> keeps;
};

// "dangling=true|false", "reference=PATTERN", "unused-for=24h", "protected=true|false" or
// "reason=CODE". kUsage for anything else, with what is allowed.
base::Result<Filter> ParseFilter(std::string_view text);

// Sorts verdicts by "name", "size", "last-used", "frees" or "reason"; empty is "name". Large and
// long unused come first; ties by name, then ID. kUsage for any other key.
base::Status SortVerdicts(const image::Observation& seen, std::string_view sort_by,
                          std::vector<image::Verdict>& verdicts);

}  // namespace ebb::report
