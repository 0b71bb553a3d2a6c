#include "image/cost.h"

#include <algorithm>

namespace ebb::image {
namespace {

constexpr double kPullDelay = 2;        // seconds
constexpr double kDownloadSpeed = 5e7;  // bytes per second
constexpr double kUnpackSpeed = 2e8;

double PieceCost(const StoreGraph& store, StoreGraph::Piece piece, RemovalPolicy policy) {
  const auto download = static_cast<double>(store.download(piece).count);
  if (policy == RemovalPolicy::kBytes) return download;
  return download / kDownloadSpeed + static_cast<double>(store.disk(piece).count) / kUnpackSpeed;
}

}  // namespace

double ReuseRate(const Image& image, base::TimePoint now, bool superseded, RemovalPolicy policy) {
  constexpr double kPrior = 0.3;       // starts that an image without any is credited with
  constexpr double kSuperseded = 0.1;  // how often such an image is wanted, beside others
  const std::chrono::duration<double, std::ratio<3600>> idle =
      std::max(base::Duration{}, now - LastSignOfLife(image));
  const double rate = policy == RemovalPolicy::kIdle
                          ? 1 / (idle.count() + 1)
                          : (RecentStarts(image.usage, now) + kPrior) / (2 * (idle.count() + 1));
  return superseded ? rate * kSuperseded : rate;
}

Costs MakeCosts(const Observation& seen, std::span<const std::size_t> unused, RemovalPolicy policy,
                const std::vector<std::optional<std::size_t>>& superseded) {
  Costs costs{.image = std::vector<double>(seen.images.size()),
              .piece = std::vector<double>(seen.store.piece_count())};
  const double delay = policy == RemovalPolicy::kBytes ? 0 : kPullDelay;
  for (const std::size_t i : unused) {
    const double rate = ReuseRate(seen.images[i], seen.taken_at, superseded[i].has_value(), policy);
    costs.image[i] = rate * delay;
    for (const auto piece : seen.store.held(i)) costs.piece[piece] += rate;
  }
  for (StoreGraph::Piece piece = 0; piece < costs.piece.size(); ++piece) {
    costs.piece[piece] *= PieceCost(seen.store, piece, policy);
  }
  return costs;
}

Tally::Tally(const StoreGraph& store, const Costs& costs)
    : store_(store), costs_(costs), holders_(store.holders().begin(), store.holders().end()) {}

Tally::Worth Tally::Loss(std::size_t image) const {
  return Sum(image, 0);
}

Tally::Worth Tally::Marginal(std::size_t image) const {
  return Sum(image, 1);
}

Tally::Worth Tally::Sum(std::size_t image, std::uint32_t holders) const {
  Worth sum{.cost = costs_.image[image]};
  for (const auto piece : store_.held(image)) {
    if (holders_[piece] == holders) Count(piece, sum);
  }
  return sum;
}

void Tally::Add(std::size_t image) {
  Worth more{.cost = costs_.image[image]};
  for (const auto piece : store_.held(image)) {
    if (--holders_[piece] == 0) Count(piece, more);
  }
  total_.bytes += more.bytes;
  total_.cost += more.cost;
}

void Tally::PutBack(std::size_t image) {
  Worth less{.cost = costs_.image[image]};
  for (const auto piece : store_.held(image)) {
    if (holders_[piece]++ == 0) Count(piece, less);
  }
  total_.bytes -= less.bytes;
  total_.cost -= less.cost;
}

void Tally::Count(StoreGraph::Piece piece, Worth& sum) const {
  sum.bytes += store_.disk(piece);
  sum.cost += costs_.piece[piece];
}

}  // namespace ebb::image
