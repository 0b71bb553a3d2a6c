// Whatever depends on an object, and whatever else has to do with it.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace ebb::graph {

// Each once.
struct Reach {
  // The objects, then whatever depends on them by however many steps, nearest first.
  std::vector<Graph::Id> inside;
  // Whatever else is bound to these by references in either direction: its fate may decide theirs.
  std::vector<Graph::Id> outside;
};

Reach ReachOf(const Graph& graph, const std::vector<Graph::Id>& from);

}  // namespace ebb::graph
