// The target of a request, in both directions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::http {

struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};

// "/path?key=value&key" taken apart and decoded. kUsage if it does not begin with a slash or an
// escape (%41) is none.
base::Result<Target> ParseTarget(std::string_view text);

// Everything but letters, digits and "-._~" as %XX (RFC 3986), fit for a value of a query.
std::string Escaped(std::string_view text);

}  // namespace ebb::http
