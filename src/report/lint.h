// What is wrong with owner references and finalizers.
#pragma once

#include <string>
#include <vector>

#include "graph/lint.h"
#include "report/style.h"

namespace ebb::report {

// A table of findings, worst said in its last line; each with consequence and remedy in `wide` and
// in documents.
std::string RenderLint(const std::vector<graph::Finding>& findings, const Style& style);

}  // namespace ebb::report
