// Which of the free images go: the replaceable part of the planner.
#pragma once

#include <span>
#include <vector>

#include "image/observation.h"

namespace ebb::image {

// Candidates in the order in which they would go: least recently used first, then the longest
// here, then the one that frees most alone, then by ID. The order of listing plays no part.
std::vector<std::size_t> InEvictionOrder(const Observation& seen,
                                         std::vector<std::size_t> candidates);

// The images to remove, in eviction order, so that at least `need` bytes are freed; empty if all
// candidates together do not free that much. No image in the answer is superfluous: putting any
// one back would miss the need. Requires `ordered` to be InEvictionOrder().
std::vector<std::size_t> Choose(const StoreGraph& store, std::span<const std::size_t> ordered,
                                base::Bytes need);

}  // namespace ebb::image
