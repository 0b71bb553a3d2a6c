// Objects that own each other.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ebb::graph {

// Groups of nodes each of which reaches every other, and single nodes that reach themselves.
// Nodes are numbered from 0; `edges` gives those that one leads to. Each group is sorted.
using Edges = std::function<std::vector<std::size_t>(std::size_t)>;
std::vector<std::vector<std::size_t>> Circles(std::size_t nodes, const Edges& edges);

}  // namespace ebb::graph
