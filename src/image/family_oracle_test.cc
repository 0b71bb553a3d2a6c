// Choices of families beside the true optimum at middle size, and on real images.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "image/family.h"
#include "image/put_back.h"

namespace ebb::image {
namespace {

using Piece = StoreGraph::Piece;

struct Node {
  StoreGraph store;
  Costs costs;
  std::vector<std::size_t> images;
  Task Free(std::int64_t bytes) const { return {store, costs, {}, images, {bytes}}; }
  base::Bytes total() const { return store.Total(); }
};

// Costs from how often each image is wanted.
Node MakeNode(std::vector<base::Bytes> disk, std::vector<std::vector<Piece>> held,
              const std::vector<double>& rates) {
  Node node;
  node.costs = {Costs{.image = rates, .piece = std::vector<double>(disk.size())}};
  for (std::size_t i = 0; i < held.size(); ++i) {
    for (const Piece p : held[i]) node.costs.piece[p] += rates[i];
  }
  for (std::size_t p = 0; p < disk.size(); ++p) {
    node.costs.piece[p] *= static_cast<double>(disk[p].count) / 1e8;
  }
  node.images.resize(held.size());
  std::iota(node.images.begin(), node.images.end(), 0);
  node.store = StoreGraph(Accounting::kExact, std::move(disk), std::move(held));
  return node;
}

// Layers of sizes small enough for a table of every number of bytes. They nest, but for one image
// in `stray`, which holds a layer of another chain as well; 0: none does.
Node SmallLayers(std::mt19937& random, std::size_t images, std::size_t stray = 0) {
  std::vector<base::Bytes> disk;
  std::vector<std::vector<Piece>> held(images);
  std::vector<double> rates(images);
  for (std::size_t i = 0; i < images; ++i) {
    if (i > 0 && random() % 4 > 0) {
      const auto& base = held[random() % i];
      held[i].assign(base.begin(), base.begin() + static_cast<long>(random() % base.size()) + 1);
    }
    for (auto own = 1 + random() % 2; own > 0; --own) {
      held[i].push_back(static_cast<Piece>(disk.size()));
      disk.push_back({1 + static_cast<std::int64_t>(random() % 60)});
    }
    if (stray > 0 && i % stray == 0) {
      const auto other = static_cast<Piece>(random() % disk.size());
      if (std::ranges::find(held[i], other) == held[i].end()) held[i].push_back(other);
    }
    rates[i] = std::exp(static_cast<double>(random() % 1000) / 250);
  }
  return MakeNode(std::move(disk), std::move(held), rates);
}

// least[b]: the least cost that frees at least b bytes. Each family goes whole or is looked into;
// its nodes follow it, so a table from the last node on needs only look ahead.
double LeastCost(const Forest& forest, std::size_t need) {
  const auto& nodes = forest.nodes();
  std::vector<std::vector<double>> least(
      nodes.size() + 1, std::vector<double>(need + 1, std::numeric_limits<double>::infinity()));
  least[nodes.size()][0] = 0;
  for (std::size_t n = nodes.size(); n-- > 1;) {
    const auto bytes = static_cast<std::size_t>(nodes[n].bytes);
    for (std::size_t b = 0; b <= need; ++b) {
      const double whole = nodes[n].cost + least[nodes[n].end][b - std::min(b, bytes)];
      least[n][b] = std::min(least[n + 1][b], whole);
    }
  }
  return least[1][need];
}

TEST(FamilyOracle, IsHardlyEverFarFromTheOptimumAndNeverBeyondItsProof) {
  constexpr int kNodes = 60;
  std::mt19937 random(3);
  double gaps = 0;
  for (int round = 0; round < kNodes; ++round) {
    const Node node = SmallLayers(random, 60);
    const auto need =
        1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(node.total().count));
    const Task task = node.Free(need);
    const Choice choice = ChooseFamilies(task);
    const double least = LeastCost(Forest(task), static_cast<std::size_t>(need));
    ASSERT_LE(choice.bound, least);
    ASSERT_GE(choice.cost, least * (1 - 1e-9));
    ASSERT_TRUE(choice.Within().has_value());
    ASSERT_LE(choice.cost, least * (1 + *choice.Within()) * (1 + 1e-9));
    gaps += choice.cost / least - 1;
  }
  EXPECT_LT(gaps / kNodes, 0.01);
}

TEST(FamilyOracle, ProvesSomethingWhereALayerOfEveryFourthImageDoesNotNest) {
  constexpr int kNodes = 20;
  std::mt19937 random(4);
  double proofs = 0;
  for (int round = 0; round < kNodes; ++round) {
    const Node node = SmallLayers(random, 200, 4);
    const Choice choice =
        ChooseFamilies(node.Free(node.total().count * (1 + round) / (1 + kNodes)));
    ASSERT_TRUE(choice.Within().has_value());
    proofs += *choice.Within();
  }
  EXPECT_LT(proofs / kNodes, 0.25);
}

// 145 images of Docker Hub: name, pulls, layer count, then each layer's ID and compressed bytes.
std::filesystem::path HubImages() {
  const char* const named = std::getenv("EBB_DATA");
  return std::filesystem::path(named != nullptr ? named : EBB_DATA) / "hub_images.txt";
}

// `chains`: a layer on another base is another piece, as for snapshots; else as for blobs.
Node ReadHub(std::istream& lines, bool chains) {
  constexpr double kExpansion = 2.6;
  std::vector<base::Bytes> disk;
  std::vector<std::vector<Piece>> held;
  std::vector<double> rates;
  std::map<std::string, Piece> known;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    double pulls = 0;
    std::size_t layers = 0;
    words >> name >> pulls >> layers;
    held.emplace_back();
    rates.push_back(std::sqrt(pulls));
    std::string chain;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      std::string id;
      double bytes = 0;
      words >> id >> bytes;
      if (!chains) chain.clear();
      chain.append("/").append(id);
      const auto [at, fresh] = known.try_emplace(chain, static_cast<Piece>(disk.size()));
      if (fresh) disk.push_back({std::llround(bytes * kExpansion)});
      if (std::ranges::find(held.back(), at->second) == held.back().end()) {
        held.back().push_back(at->second);
      }
    }
  }
  return MakeNode(std::move(disk), std::move(held), rates);
}

void ChooseOnHub(const Node& node, double part) {
  const auto need = std::llround(static_cast<double>(node.total().count) * part);
  const Choice choice = ChooseFamilies(node.Free(need));
  SCOPED_TRACE(part);
  EXPECT_GE(node.store.Freed(choice.removals).count, need);
  ASSERT_TRUE(choice.Within().has_value());
  EXPECT_LT(*choice.Within(), 0.1);
  const Removals oldest_first = TakeInOrder(node.Free(need));
  EXPECT_LE(choice.cost, oldest_first.cost);
  for (const std::size_t image : choice.removals) {
    auto others = choice.removals;
    std::erase(others, image);
    EXPECT_LT(node.store.Freed(others).count, need);
  }
}

TEST(FamilyOracle, RealImagesAreChosenWithinTenPerCentOfTheBestByProof) {
  for (const bool chains : {true, false}) {
    std::ifstream file(HubImages());
    if (!file) {
      GTEST_SKIP() << "missing: " << HubImages() << "; name its folder with EBB_DATA";
    }
    const Node node = ReadHub(file, chains);
    ASSERT_EQ(node.images.size(), 145U);
    for (const double part : {0.02, 0.1, 0.3, 0.5, 0.7, 0.95}) ChooseOnHub(node, part);
  }
}

}  // namespace
}  // namespace ebb::image
