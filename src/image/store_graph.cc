#include "image/store_graph.h"

#include <algorithm>
#include <cmath>

namespace ebb::image {
namespace {

std::vector<base::Bytes> Compressed(const std::vector<base::Bytes>& disk) {
  constexpr double kExpansion = 2.6;
  std::vector<base::Bytes> downloads;
  downloads.reserve(disk.size());
  for (const base::Bytes bytes : disk) {
    downloads.push_back({std::llround(static_cast<double>(bytes.count) / kExpansion)});
  }
  return downloads;
}

}  // namespace

StoreGraph::StoreGraph(Accounting accounting, std::vector<base::Bytes> pieces,
                       std::vector<std::vector<Piece>> held, std::vector<base::Bytes> downloads)
    : accounting_(accounting),
      pieces_(std::move(pieces)),
      downloads_(std::move(downloads)),
      held_(std::move(held)),
      holders_(pieces_.size(), 0) {
  if (downloads_.empty()) downloads_ = Compressed(pieces_);
  for (const auto& of_image : held_) {
    for (const Piece piece : of_image) ++holders_[piece];
  }
}

base::Bytes StoreGraph::Freed(std::span<const std::size_t> images) const {
  FreedSoFar freed(*this);
  for (const std::size_t image : images) (void)freed.Add(image);
  return freed.total();
}

base::Bytes StoreGraph::Total() const {
  base::Bytes total;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (holders_[p] > 0) total += pieces_[p];
  }
  return total;
}

base::Bytes FreedSoFar::Marginal(std::size_t image) const {
  base::Bytes freed;
  for (const auto piece : graph_.held_[image]) {
    if (holders_[piece] == 1) freed += graph_.pieces_[piece];
  }
  return freed;
}

base::Bytes FreedSoFar::Add(std::size_t image) {
  base::Bytes freed;
  for (const auto piece : graph_.held_[image]) {
    if (--holders_[piece] == 0) freed += graph_.pieces_[piece];
  }
  total_ += freed;
  return freed;
}

base::Bytes FreedSoFar::Loss(std::size_t image) const {
  base::Bytes lost;
  for (const auto piece : graph_.held_[image]) {
    if (holders_[piece] == 0) lost += graph_.pieces_[piece];
  }
  return lost;
}

void FreedSoFar::PutBack(std::size_t image) {
  total_ -= Loss(image);
  for (const auto piece : graph_.held_[image]) ++holders_[piece];
}

StoreGraph MakeReportedGraph(const std::vector<Image>& images, double disk_per_reported) {
  return MakeLayerGraph(images, {}, disk_per_reported);
}

}  // namespace ebb::image
