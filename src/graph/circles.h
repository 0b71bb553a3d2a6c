// Objects that own each other.
#pragma once

#include <cstddef>
#include <vector>

namespace ebb::graph {

// Groups of nodes each of which reaches every other, and single nodes that reach themselves.
// `edges[i]` are the nodes that node i leads to. Each group is sorted.
std::vector<std::vector<std::size_t>> Circles(const std::vector<std::vector<std::size_t>>& edges);

}  // namespace ebb::graph
