// Whether a test may be skipped: where CI=true a test that does not run proves nothing.
#pragma once

#include <cstdlib>
#include <string_view>

namespace ebb::testing {

inline bool InCi() {
  const char* const ci = std::getenv("CI");
  return ci != nullptr && std::string_view(ci) == "true";
}

}  // namespace ebb::testing
