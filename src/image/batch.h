// How many removals go together (P4).
#pragma once

#include <span>

#include "base/bytes.h"

namespace ebb::image {

struct BatchBounds {
  std::size_t max_images = 64;
  bool by_need = false;           // false: the target is not about bytes
  base::Bytes need;               // measured bytes still missing
  double real_per_predicted = 1;  // learnt from the batches before
};

// How many of `predicted` (marginal bytes, in order) to remove now: the fewest that should meet
// the need, never more than max_images, and at least one while there is any.
std::size_t NextBatch(std::span<const base::Bytes> predicted, const BatchBounds& bounds);

// What one batch teaches about predictions: measured over predicted, kept within [1/4, 8] so that
// a busy disk cannot teach nonsense. A batch that predicted nothing teaches nothing.
double Learn(double before, base::Bytes predicted, base::Bytes measured);

}  // namespace ebb::image
