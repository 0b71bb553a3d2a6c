// In which order a set of nodes is judged.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace ebb::graph {

// Each of `nodes` once, behind those of its owners that are among them; a circle starts where the
// UIDs do. An owner that goes and a dependent of both are thereby judged alike in whatever order
// they became known: judged first, the dependent would take that owner for one that keeps it.
// Upstream (v1.36) leaves this to chance.
std::vector<Graph::Id> OwnersFirst(const Graph& graph, std::vector<Graph::Id> nodes);

}  // namespace ebb::graph
