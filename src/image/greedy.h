// Which families to remove: the cheapest per byte first.
#pragma once

#include <vector>

#include "image/forest.h"

namespace ebb::image {

struct Greedy {
  std::vector<std::size_t> images;  // enough by the forest's bytes; may hold superfluous ones
  double ratio = 0;                 // cost per byte of the last family that was taken
};

// Takes the family with the least cost per byte that still fits the need, over and over; a family
// that would overshoot is remembered as a way to finish, and the cheapest finish wins. A family
// shrinks, and its ratio rises, when one inside it goes; so an outdated key in the heap is a lower
// bound, and the answer is the same as if all ratios were computed anew at every step. Empty if
// all families together free less than `need` bytes.
Greedy TakeFamilies(const Forest& forest, double need);

}  // namespace ebb::image
