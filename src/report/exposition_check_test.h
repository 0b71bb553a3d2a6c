// A strict reader of the text format, for tests: stricter than Prometheus itself.
#pragma once

#include <string>
#include <vector>

namespace ebb::report {

// What breaks the format or its customs, a sentence each; empty: nothing does.
std::vector<std::string> ProblemsOf(const std::string& page);

}  // namespace ebb::report
