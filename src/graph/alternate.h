// Who a virtual owner may be, if it is not who it was taken for.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace ebb::graph {

// Of all coordinates by which these dependents name the owner, other than those proved absent, the
// first after `absent` in the order of kind, apiVersion, namespace and name, else the first of all:
// asked again and again it comes round to every one of them, as upstream (v1.36).
std::optional<Coordinates> AlternateOwner(const Graph& graph, Graph::Id owner,
                                          const std::vector<Graph::Id>& dependents,
                                          const Coordinates& absent);

}  // namespace ebb::graph
