// Plans that remove no image in vain.
#pragma once

#include <span>
#include <vector>

#include "image/forest.h"

namespace ebb::image {

// Images that free the need beside task.gone, none of them superfluous: keeping any one would miss
// it. No images: all candidates together do not free it.
struct Removals {
  std::vector<std::size_t> images;
  double cost = 0;
};

// Those of `taken` that are needed, in their order. Each image, the dearest first, stays if the
// rest still frees the need. What could not stay once never can: every return only makes the others
// more necessary. Requires `taken` to free the need.
Removals PutBackDearest(const Task& task, std::span<const std::size_t> taken);

// The candidates in their own order until the need is met, then the last of them back first.
Removals TakeInOrder(const Task& task);

// One image after the other, each time the one of least cost per byte, then the dearest back.
// Takes the square of the number of candidates.
Removals TakeSingly(const Task& task);

// The world as it is once task.gone are gone, for the price of nothing.
Tally Start(const Task& task);

}  // namespace ebb::image
