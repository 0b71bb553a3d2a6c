// Whatever depends on an object, and whatever else has to do with it.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/world.h"

namespace ebb::graph {

// Indices of World::objects, each once.
struct Reach {
  // The object, then whatever depends on it by however many steps, nearest first.
  std::vector<std::size_t> inside;
  // Whatever else is bound to these by references in either direction: its fate may decide theirs.
  std::vector<std::size_t> outside;
};

Reach ReachOf(const World& world, std::size_t object);

}  // namespace ebb::graph
