#include "image/store_graph.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace ebb::image {
namespace {

std::vector<Image> Sized(const std::vector<std::int64_t>& sizes) {
  std::vector<Image> images;
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

TEST(StoreGraph, TheIncrementalFormAgreesWithTheSet) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<base::Bytes> pieces(20);
    for (auto& piece : pieces) piece.count = static_cast<std::int64_t>(random() % 1000);
    std::vector<std::vector<StoreGraph::Piece>> held(12);
    for (auto& of_image : held) {
      for (StoreGraph::Piece p = 0; p < pieces.size(); ++p) {
        if (random() % 3 == 0) of_image.push_back(p);
      }
    }
    const StoreGraph graph(Accounting::kExact, pieces, held);
    FreedSoFar freed(graph);
    std::vector<std::size_t> set;
    for (std::size_t i = 0; i < held.size(); ++i) {
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

TEST(LayerGraph, EveryImagesPiecesAddUpToItsSize) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> sizes;
    std::vector<LayerChain> chains;
    for (int i = 0; i < 15; ++i) {
      sizes.push_back(static_cast<std::int64_t>(random() % 100000));
      if (random() % 8 == 0) {
        chains.emplace_back();
        continue;
      }
      std::vector<std::string> chain;
      for (std::size_t depth = random() % 6; depth > 0; --depth) {
        chain.push_back(std::to_string(random() % 3));
      }
      chains.emplace_back(chain);
    }
    const auto images = Sized(sizes);
    const StoreGraph graph = MakeLayerGraph(images, chains);
    std::vector<std::size_t> all(images.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(graph.Freed(all), graph.Total());
    for (std::size_t i = 0; i < images.size(); ++i) {
      FreedSoFar others(graph);
      for (const std::size_t j : all) {
        if (j != i) (void)others.Add(j);
      }
      EXPECT_EQ(others.Marginal(i).count, sizes[i]) << "image " << i << " of round " << round;
    }
  }
}

TEST(LayerGraph, ScalesReportedBytesToBytesOnDisk) {
  EXPECT_EQ(MakeReportedGraph(Sized({100}), 2.5).Total().count, 250);
}

}  // namespace
}  // namespace ebb::image
