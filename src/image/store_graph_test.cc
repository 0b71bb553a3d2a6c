#include "image/store_graph.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace ebb::image {
namespace {

std::vector<Image> Sized(const std::vector<std::int64_t>& sizes) {
  std::vector<Image> images;
  images.reserve(sizes.size());
  for (const auto size : sizes) {
    images.push_back({.id = {"sha256:" + std::to_string(images.size())}, .size = {size}});
  }
  return images;
}

base::Bytes Freed(const StoreGraph& graph, const std::vector<std::size_t>& images) {
  return graph.Freed(images);
}

TEST(StoreGraph, ALayerSharedWithAStayingImageFreesNothing) {
  const StoreGraph graph(Accounting::kExact, {{1000}, {10}, {20}}, {{0, 1}, {0, 2}});
  EXPECT_EQ(Freed(graph, {0}).count, 10);
  EXPECT_EQ(FreedSoFar(graph).Marginal(0).count, 10);
  EXPECT_EQ(Freed(graph, {1}).count, 20);
  EXPECT_EQ(Freed(graph, {0, 1}).count, 1030);
  EXPECT_EQ(graph.Total().count, 1030);
}

TEST(StoreGraph, OrderAndReturnPlayNoPartInWhatASetFrees) {
  const StoreGraph graph(Accounting::kExact, {{1000}, {10}, {20}}, {{0, 1}, {0, 2}});
  FreedSoFar freed(graph);
  EXPECT_EQ(freed.Add(1).count, 20);
  EXPECT_EQ(freed.Marginal(0).count, 1010);
  EXPECT_EQ(freed.Add(0).count, 1010);
  EXPECT_EQ(freed.Loss(1).count, 1020);
  freed.PutBack(1);
  EXPECT_EQ(freed.total().count, 10);
}

StoreGraph RandomGraph(std::mt19937& random) {
  std::vector<base::Bytes> pieces(20);
  for (auto& piece : pieces) piece.count = static_cast<std::int64_t>(random() % 1000);
  std::vector<std::vector<StoreGraph::Piece>> held(12);
  for (auto& of_image : held) {
    for (StoreGraph::Piece p = 0; p < pieces.size(); ++p) {
      if (random() % 3 == 0) of_image.push_back(p);
    }
  }
  return {Accounting::kExact, pieces, held};
}

TEST(StoreGraph, TheIncrementalFormAgreesWithTheSet) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const StoreGraph graph = RandomGraph(random);
    FreedSoFar freed(graph);
    std::vector<std::size_t> set;
    for (std::size_t i = 0; i < graph.image_count(); ++i) {
      if (random() % 2 == 0) continue;
      const base::Bytes before = graph.Freed(set);
      set.push_back(i);
      EXPECT_EQ(freed.Add(i), graph.Freed(set) - before);
    }
    EXPECT_EQ(freed.total(), graph.Freed(set));
  }
}

TEST(LayerGraph, WithoutLayersEveryImageIsOnePieceAndSaysSo) {
  const StoreGraph graph = MakeReportedGraph(Sized({100, 200}));
  EXPECT_EQ(graph.accounting(), Accounting::kReported);
  EXPECT_EQ(Freed(graph, {0}).count, 100);
  EXPECT_EQ(graph.Total().count, 300);
}

TEST(LayerGraph, ABaseThatIsItselfAnImageIsCountedExactly) {
  const auto images = Sized({1000, 1010, 1020});
  const StoreGraph graph = MakeLayerGraph(images, {{{"base"}}, {{"base", "a"}}, {{"base", "b"}}});
  EXPECT_EQ(graph.accounting(), Accounting::kLayers);
  EXPECT_EQ(Freed(graph, {1}).count, 10);
  EXPECT_EQ(Freed(graph, {2}).count, 20);
  EXPECT_EQ(graph.Total().count, 1030);
}

TEST(LayerGraph, SharingIsByTheWholeChainBelow) {
  const auto images = Sized({100, 100});
  const StoreGraph graph = MakeLayerGraph(images, {{{"x", "top"}}, {{"y", "top"}}});
  EXPECT_EQ(graph.Total().count, 200) << "the same layer on another base is another snapshot";
}

TEST(LayerGraph, TheSameLayersUnderTwoIdsAreStoredOnce) {
  const auto images = Sized({100, 103});
  const StoreGraph graph = MakeLayerGraph(images, {{{"x"}}, {{"x"}}});
  EXPECT_EQ(Freed(graph, {0, 1}).count, 103);
  EXPECT_LE(Freed(graph, {0}).count, 3);
}

LayerChain RandomChain(std::mt19937& random) {
  if (random() % 8 == 0) return std::nullopt;
  std::vector<std::string> chain;
  for (std::size_t depth = random() % 6; depth > 0; --depth) {
    chain.push_back(std::to_string(random() % 3));
  }
  return chain;
}

// What is left for `image` alone when all others are gone: everything it holds.
base::Bytes HeldBy(const StoreGraph& graph, std::size_t image) {
  FreedSoFar others(graph);
  for (std::size_t i = 0; i < graph.image_count(); ++i) {
    if (i != image) (void)others.Add(i);
  }
  return others.Marginal(image);
}

TEST(LayerGraph, EveryImagesPiecesAddUpToItsSize) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> sizes(15);
    std::vector<LayerChain> chains(15);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sizes[i] = static_cast<std::int64_t>(random() % 100000);
      chains[i] = RandomChain(random);
    }
    const StoreGraph graph = MakeLayerGraph(Sized(sizes), chains);
    std::vector<std::size_t> all(sizes.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(graph.Freed(all), graph.Total());
    for (const std::size_t i : all)
      EXPECT_EQ(HeldBy(graph, i).count, sizes[i]) << "round " << round;
  }
}

TEST(LayerGraph, ScalesReportedBytesToBytesOnDisk) {
  EXPECT_EQ(MakeReportedGraph(Sized({100}), 2.5).Total().count, 250);
}

}  // namespace
}  // namespace ebb::image
