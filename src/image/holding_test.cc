#include "image/holding.h"

#include <gmock/gmock.h>

#include "image/exact_graph.h"
#include "testing/builders.h"
#include "testing/shelf.h"

namespace ebb::image {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = StoreObject::Kind;

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr std::int64_t kGi = std::int64_t{1} << 30;

// A = base 1 GiB + 10 MiB, B = base 1 GiB + 20 MiB, both unused. Tools that sum exclusive bytes say
// that 30 MiB can be had back, tools that sum sizes say 2.03 GiB.
TEST(Holding, OfTwoImagesOnOneBaseIsNeitherTheSumOfSizesNorOfExclusiveBytes) {
  testing::Shelf shelf;
  const auto base = shelf.Put(kGi);
  shelf.Record("sha256:a", {shelf.Put(10 * kMi, {base})});
  shelf.Record("sha256:b", {shelf.Put(20 * kMi, {base})});
  Observation seen;
  seen.images = testing::Listed({"a", "b"});
  seen.objects = shelf.store;
  seen.store = MakeExactGraph(shelf.store, seen.images).graph;
  const auto bytes = BytesOfImages(seen);
  EXPECT_EQ(bytes[0].held.count, kGi + 10 * kMi);
  EXPECT_EQ(bytes[0].exclusive.count, 10 * kMi);
  EXPECT_EQ(bytes[1].exclusive.count, 20 * kMi);
  EXPECT_EQ(seen.store.Freed(std::array<std::size_t, 2>{0, 1}).count, kGi + 30 * kMi);
  seen.objects = {};
  EXPECT_EQ(BytesOfImages(seen)[0].held.count, kGi + 10 * kMi) << "from the graph alone";
}

TEST(Holding, OfALeaseIsWhatItReachesAndWhatOnlyItKeeps) {
  testing::Shelf shelf;
  const auto shared = shelf.Put(100);
  const auto own = shelf.Put(7);
  shelf.Record("sha256:a", {shared});
  shelf.Hold(StoreRoot::Kind::kLease, {shared, own});
  const auto bytes = BytesOfRoots(shelf.store, std::array<std::size_t, 1>{1});
  EXPECT_EQ(bytes[0].held.count, 107);
  EXPECT_EQ(bytes[0].exclusive.count, 7);
}

TEST(Holding, ListsLayersBelowWhatTheyStandOnAndEachOnce) {
  testing::Shelf shelf;
  const auto base = shelf.Put(1, {}, Kind::kSnapshot, "k8s.io/overlayfs/base");
  (void)shelf.Put(1, {base}, Kind::kSnapshot, "k8s.io/overlayfs/z");
  (void)shelf.Put(1, {base}, Kind::kSnapshot, "k8s.io/overlayfs/a");
  (void)shelf.Put(1, {4}, Kind::kSnapshot, "k8s.io/overlayfs/cycle-1");
  (void)shelf.Put(1, {3}, Kind::kSnapshot, "k8s.io/overlayfs/cycle-2");
  (void)shelf.Put(1, {base}, Kind::kSnapshot, "k8s.io/overlayfs/container");
  shelf.store.objects.back().writable = true;
  std::vector<std::string> lines;
  for (const LayerNode& node : LayerForest(shelf.store)) {
    lines.push_back(std::string(node.depth, ' ') +
                    shelf.store.objects[node.object].name.substr(17) + (node.last ? "." : ""));
  }
  EXPECT_THAT(lines, ElementsAre("base.", " a", " z.", "cycle-1.", " cycle-2."));
}

TEST(Holding, FindsALayerByTheBeginningOfItsKeyAndSaysSoIfThatIsNotOne) {
  testing::Shelf shelf;
  (void)shelf.Put(1, {}, Kind::kSnapshot, "k8s.io/overlayfs/sha256:aaaaaaaa1");
  (void)shelf.Put(1, {}, Kind::kSnapshot, "k8s.io/overlayfs/sha256:aaaaaaaa2");
  (void)shelf.Put(1, {}, Kind::kBlob, "sha256:bbbbbbbb");
  EXPECT_EQ(FindObject(shelf.store, "bbbbbb").value(), 2U);
  EXPECT_EQ(FindObject(shelf.store, "sha256:aaaaaaaa2").value(), 1U);
  EXPECT_THAT(FindObject(shelf.store, "aaaaaa").error().message, HasSubstr("names 2"));
  EXPECT_THAT(FindObject(shelf.store, "cccccc").error().message, HasSubstr("no layer"));
  EXPECT_FALSE(FindObject(shelf.store, "b").ok()) << "too short to mean anything";
}

}  // namespace
}  // namespace ebb::image
