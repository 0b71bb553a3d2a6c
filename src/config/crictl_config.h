// crictl's own configuration file, as far as it says where the runtime is.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::config {

struct CrictlConfig {
  std::string runtime_endpoint;  // as written; empty: not said
  std::string image_endpoint;
};

// Keys that are not about endpoints are ignored. A file that is no YAML, or an endpoint that is
// no text, is a kUsage error: worth a warning, not worth stopping.
base::Result<CrictlConfig> ParseCrictlConfig(std::string_view text, std::string_view file);

}  // namespace ebb::config
