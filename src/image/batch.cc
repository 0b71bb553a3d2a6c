#include "image/batch.h"

#include <algorithm>

namespace ebb::image {

std::size_t NextBatch(std::span<const base::Bytes> predicted, const BatchBounds& bounds) {
  const std::size_t most = std::min(bounds.max_images, predicted.size());
  if (!bounds.by_need) return most;
  double freed = 0;
  std::size_t count = 0;
  while (count < most && (count == 0 || freed < static_cast<double>(bounds.need.count))) {
    freed += static_cast<double>(predicted[count++].count) * bounds.real_per_predicted;
  }
  return count;
}

double Learn(double before, base::Bytes predicted, base::Bytes measured) {
  constexpr double kLeast = 0.25;
  constexpr double kMost = 8;
  if (predicted.count <= 0) return before;
  const double ratio = static_cast<double>(measured.count) / static_cast<double>(predicted.count);
  return std::clamp(ratio, kLeast, kMost);
}

}  // namespace ebb::image
