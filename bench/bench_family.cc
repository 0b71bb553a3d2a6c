// How long it takes to choose families and to prove how good the choice is: processor time, the
// best of many rounds, for images of about 20 layers each.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>

#include "image/bound.h"
#include "image/family.h"

namespace ebb::image {
namespace {

double CpuMilliseconds() {
  timespec now{};
  (void)::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Node {
  StoreGraph store;
  Costs costs;
  std::vector<std::size_t> images;
  std::size_t references = 0;
};

// Most images stand on a stretch of an earlier one; no two neighbouring layers are merged.
Node MakeNode(std::size_t images) {
  std::mt19937 random(1);
  std::vector<base::Bytes> disk;
  std::vector<std::vector<StoreGraph::Piece>> held(images);
  Node node{.costs = {.image = std::vector<double>(images)},
            .images = std::vector<std::size_t>(images)};
  std::iota(node.images.begin(), node.images.end(), 0);
  for (std::size_t i = 0; i < images; ++i) {
    if (i > 0 && random() % 10 < 7) {
      const auto& base = held[random() % i];
      held[i].assign(base.begin(), base.begin() + static_cast<long>(random() % base.size()) + 1);
    }
    for (auto own = 1 + random() % 24; own > 0; --own) {
      held[i].push_back(static_cast<StoreGraph::Piece>(disk.size()));
      disk.push_back(
          {static_cast<std::int64_t>(std::exp(static_cast<double>(random() % 1900) / 100))});
    }
    node.costs.image[i] = std::exp(static_cast<double>(random() % 1000) / 150);
    node.references += held[i].size();
  }
  node.costs.piece.resize(disk.size());
  for (std::size_t i = 0; i < images; ++i) {
    for (const auto piece : held[i]) node.costs.piece[piece] += node.costs.image[i];
  }
  for (std::size_t p = 0; p < disk.size(); ++p) {
    node.costs.piece[p] *= static_cast<double>(disk[p].count) / 1e8;
  }
  node.store = StoreGraph(Accounting::kExact, std::move(disk), std::move(held));
  return node;
}

void Time(const Node& node, double part) {
  const auto need = std::llround(static_cast<double>(node.store.Total().count) * part);
  const Task task{node.store, node.costs, {}, node.images, {need}};
  const int rounds = node.images.size() > 50'000 ? 5 : 30;
  double all = 1e9;
  double proof = 1e9;
  Choice choice;
  for (int round = 0; round < rounds; ++round) {
    double start = CpuMilliseconds();
    choice = ChooseFamilies(task);
    all = std::min(all, CpuMilliseconds() - start);
    const Forest forest(task);
    start = CpuMilliseconds();
    (void)LowerBound(forest, static_cast<double>(need), choice.cost / static_cast<double>(need));
    proof = std::min(proof, CpuMilliseconds() - start);
  }
  std::printf(
      "families %6zu images %7zu references, to free %2.0f%%: plan %7.2f ms, bound %6.2f ms, "
      "within %.3f%%, %zu removals\n",
      node.images.size(), node.references, part * 100, all - proof, proof,
      choice.Within().value_or(NAN) * 100, choice.removals.size());
}

}  // namespace
}  // namespace ebb::image

int main() {
  for (const std::size_t images : {1000U, 10'000U, 100'000U}) {
    const auto node = ebb::image::MakeNode(images);
    for (const double part : {0.05, 0.3, 0.8}) ebb::image::Time(node, part);
  }
}
