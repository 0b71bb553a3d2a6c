// What stands in a namespace, or is of the kind that a definition defines: it goes with that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/world.h"

namespace ebb::graph {

struct Contents {
  std::string finalizer;  // keeps the container until all of these have gone
  std::vector<Graph::Id> objects;
};

// nullopt: it is neither a Namespace nor a CustomResourceDefinition. They are deleted by
// controllers of their own, in the background (v1.36).
std::optional<Contents> ContentsOf(const World& world, Graph::Id container);

}  // namespace ebb::graph
