// Which of the free images go: the replaceable part of a plan.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "image/family.h"
#include "image/observation.h"
#include "image/policy.h"

namespace ebb::image {

// Candidates in the order in which they would go: least recently used first, then the longest
// here, then the one that frees most alone, then by ID. The order of listing plays no part.
std::vector<std::size_t> InEvictionOrder(const Observation& seen,
                                         std::vector<std::size_t> candidates);

// What is removed beside what goes anyway.
struct Chosen {
  std::vector<std::size_t> removals;  // in order of removal; empty: the need cannot be met
  std::vector<Family> families;       // of the removals, in the same order; kLru has none
  std::optional<double> within;       // Choice::Within(); kLru proves nothing
};

struct Wanted {
  std::span<const std::size_t> gone;    // go anyway
  std::span<const std::size_t> unused;  // may go as well: InEvictionOrder(), without those gone
  base::Bytes need;                     // what all of them together have to free
};

// No image in the answer is superfluous: putting any one back would miss the need. `superseded` has
// one entry per image.
Chosen ChooseRemovals(const Observation& seen, RemovalPolicy policy, const Wanted& wanted,
                      const std::vector<std::optional<std::size_t>>& superseded);

}  // namespace ebb::image
