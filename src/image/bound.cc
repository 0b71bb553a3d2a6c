#include "image/bound.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace ebb::image {
namespace {

struct Probe {
  double bound = 0;
  double freed = 0;  // by the families that are worth their price: the slope is need - freed
};

struct Tangent {
  double price = 0;
  double bound = 0;
  double slope = 0;
};

class Prices {
 public:
  Prices(const Forest& forest, double need)
      : forest_(forest), need_(need), below_(forest.nodes().size()) {}

  // One pass from the leaves up. A family goes whole, or what is worth it inside it goes.
  Probe At(double price) {
    const auto& nodes = forest_.nodes();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      whole_[n] = {nodes[n].own_cost - price * nodes[n].own_bytes, nodes[n].own_bytes};
      below_[n] = {};
    }
    for (const Forest::Share& share : forest_.shares()) {
      const double worth = share.cost - price * share.bytes;
      if (worth >= 0) continue;
      whole_[share.node].bound += share.part * worth;
      whole_[share.node].freed += share.part * share.bytes;
    }
    for (std::size_t n = nodes.size(); n-- > 1;) {
      const Probe& best = whole_[n].bound < below_[n].bound ? whole_[n] : below_[n];
      Add(below_[nodes[n].parent], best);
      Add(whole_[nodes[n].parent], whole_[n]);
    }
    return {price * need_ + below_[0].bound, below_[0].freed};
  }

 private:
  static void Add(Probe& to, const Probe& more) {
    to.bound += more.bound;
    to.freed += more.freed;
  }

  const Forest& forest_;
  const double need_;
  std::vector<Probe> below_;           // per node: the best of the families inside it
  std::vector<Probe> whole_ = below_;  // per node: the family itself
};

}  // namespace

// The bound is concave in the price and its slope is known, so the two tangents around the best
// price meet no lower than it: where they meet is looked at next, until nothing is left to gain.
double LowerBound(const Forest& forest, double need, double near) {
  constexpr int kProbes = 60;
  constexpr double kRounding = 1e-9;  // of sums of many terms
  if (need <= 0 || !std::isfinite(near) || near <= 0) return 0;
  Prices prices(forest, need);
  double best = 0;
  std::optional<Tangent> low;   // rises: the price is too low
  std::optional<Tangent> high;  // falls, or is level
  double price = near;
  for (int probe = 0; probe < kProbes && price > 0 && std::isfinite(price); ++probe) {
    const Probe at = prices.At(price);
    const Tangent tangent{price, at.bound, need - at.freed};
    best = std::max(best, at.bound);
    (tangent.slope > 0 ? low : high) = tangent;
    if (!low || !high) {
      price = low ? price * 2 : price / 2;
      continue;
    }
    price = (high->bound - low->bound + low->slope * low->price - high->slope * high->price) /
            (low->slope - high->slope);
    const double most = low->bound + low->slope * (price - low->price);
    if (most <= best * (1 + kRounding)) break;
  }
  return best * (1 - kRounding);
}

}  // namespace ebb::image
