// How good any plan can be at best.
#pragma once

#include "image/forest.h"

namespace ebb::image {

// No removal that frees `need` bytes costs less than this, whoever planned it. Lagrangian: for
// every price of a byte, need times the price plus, over all families, the least of what they cost
// less what their bytes would fetch. The best price is looked for around `near`, cost per byte.
// Where pieces do not nest each share counts as if it came free by itself, which only lowers it.
double LowerBound(const Forest& forest, double need, double near);

}  // namespace ebb::image
