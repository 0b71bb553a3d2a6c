#include "image/exact_graph.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/shelf.h"

namespace ebb::image {
namespace {

using Kind = StoreObject::Kind;
using Root = StoreRoot::Kind;
using Index = StoreObject::Index;
using testing::Listed;
using testing::Shelf;

base::Bytes Freed(const ExactGraph& exact, const std::vector<std::size_t>& images) {
  return exact.graph.Freed(images);
}

TEST(Mark, ReachesThroughCyclesAndStopsWhereNothingIsKept) {
  Shelf shelf;
  const Index a = shelf.Put(1, {1});
  (void)shelf.Put(1, {a});
  (void)shelf.Put(1, {a});
  shelf.Record("x", {a});
  EXPECT_EQ(Mark(shelf.store, std::vector<std::size_t>{0}), (std::vector{true, true, false}));
  EXPECT_EQ(Mark(shelf.store, {}), (std::vector{false, false, false}));
}

TEST(ExactGraph, ASharedBaseGoesWithItsLastImage) {
  Shelf shelf;
  const Index base = shelf.Put(1000);
  shelf.Record("sha256:a", {shelf.Put(10, {base})});
  shelf.Record("sha256:b", {shelf.Put(20, {base})});
  const ExactGraph exact = MakeExactGraph(shelf.store, Listed({"a", "b"}));
  EXPECT_EQ(exact.graph.accounting(), Accounting::kExact);
  EXPECT_EQ(Freed(exact, {0}).count, 10);
  EXPECT_EQ(Freed(exact, {0, 1}).count, 1030);
  EXPECT_EQ(exact.bytes[0].held.count, 1010);
  EXPECT_EQ(exact.bytes[0].exclusive.count, 10);
  EXPECT_EQ(exact.bytes[0].shared().count, 1000);
}

TEST(ExactGraph, EveryRecordOfAnImageGoesWithIt) {
  Shelf shelf;
  const Index manifest = shelf.Put(100);
  const Index index = shelf.Put(5, {manifest});
  shelf.Record("sha256:a", {manifest});
  shelf.Record("r.example/a:1", {manifest});
  shelf.Record("r.example/a@sha256:da", {index});
  EXPECT_EQ(Freed(MakeExactGraph(shelf.store, Listed({"a"})), {0}).count, 105);
}

TEST(ExactGraph, WhatAnythingElseHoldsDoesNotComeFree) {
  for (const Root kind :
       {Root::kContainer, Root::kLease, Root::kLabel, Root::kIngest, Root::kOther, Root::kRecord}) {
    Shelf shelf;
    const Index blob = shelf.Put(7);
    const Index snapshot = shelf.Put(100, {}, Kind::kSnapshot);
    shelf.Record("sha256:a", {blob, snapshot});
    shelf.Hold(kind, {snapshot});
    const ExactGraph exact = MakeExactGraph(shelf.store, Listed({"a"}));
    EXPECT_EQ(Freed(exact, {0}).count, 7);
    EXPECT_EQ(exact.bytes[0].held.count, 107);
    EXPECT_EQ(exact.bytes[0].exclusive.count, 7);
  }
}

TEST(ExactGraph, ARecordUnderAnotherNameBelongsToTheImageWhoseConfigurationItReaches) {
  Shelf shelf;
  const Index config = shelf.Put(3, {}, Kind::kEntry, "k8s.io/sha256:a");
  shelf.Record("moved.example/x:1", {shelf.Put(50, {config})});
  EXPECT_EQ(Freed(MakeExactGraph(shelf.store, Listed({"a"})), {0}).count, 53);
}

TEST(ExactGraph, ARecordThatCouldBeAnyOfSeveralImagesIsPredictedToFreeNothing) {
  Shelf shelf;
  const Index a = shelf.Put(3, {}, Kind::kEntry, "k8s.io/sha256:a");
  const Index b = shelf.Put(4, {}, Kind::kEntry, "k8s.io/sha256:b");
  shelf.Record("multi.example/x:1", {shelf.Put(50, {a, b})});
  EXPECT_EQ(Freed(MakeExactGraph(shelf.store, Listed({"a", "b"})), {0, 1}).count, 0);
}

TEST(ExactGraph, AChainIdIsNoImageId) {
  Shelf shelf;
  shelf.Record("x", {shelf.Put(50, {}, Kind::kSnapshot, "k8s.io/overlayfs/sha256:a")});
  EXPECT_EQ(AssignRecords(shelf.store, Listed({"a"}))[0], std::nullopt);
}

TEST(ExactGraph, ANameThatTwoImagesListIsSettledByTheConfiguration) {
  Shelf shelf;
  shelf.Record("r.example/a:1", {shelf.Put(3, {}, Kind::kEntry, "k8s.io/sha256:b")});
  std::vector<Image> images = Listed({"a", "b"});
  images[1].tags = images[0].tags;
  EXPECT_EQ(AssignRecords(shelf.store, images)[0], std::optional<std::size_t>(1));
}

TEST(ExactGraph, BytesNobodyCouldMeasureCountAsNothingAndTheAccountingSaysSo) {
  Shelf shelf;
  shelf.Record("sha256:a", {shelf.Put(5), shelf.Put(7)});
  shelf.store.objects[1].disk = {};
  shelf.store.objects[1].measured = false;
  const ExactGraph exact = MakeExactGraph(shelf.store, Listed({"a"}));
  EXPECT_EQ(Freed(exact, {0}).count, 5);
  EXPECT_EQ(exact.graph.accounting(), Accounting::kLayers);
}

TEST(ExactGraph, AnUnmeasuredThingThatNoImageHoldsChangesNothing) {
  Shelf shelf;
  shelf.Record("sha256:a", {shelf.Put(5)});
  shelf.Hold(Root::kContainer, {shelf.Put(0, {}, Kind::kSnapshot)});
  shelf.store.objects[1].measured = false;
  EXPECT_EQ(MakeExactGraph(shelf.store, Listed({"a"})).graph.accounting(), Accounting::kExact);
}

TEST(ExactGraph, WhatTheModelDoesNotKnowIsNotExact) {
  Shelf shelf;
  shelf.Record("sha256:a", {shelf.Put(5)});
  shelf.store.unknown = {"snapshotter 'strange'"};
  EXPECT_EQ(MakeExactGraph(shelf.store, Listed({"a"})).graph.accounting(), Accounting::kLayers);
}

TEST(ExactGraph, WhatTheSameImagesHoldIsOnePieceAndPathsRunFromTheBaseUp) {
  Shelf shelf;
  const Index own = shelf.Put(1);
  const Index base = shelf.Put(10);
  const Index blob = shelf.Put(20);
  shelf.Record("sha256:a", {own, base, blob});
  shelf.Record("sha256:b", {base, blob});
  const StoreGraph graph = MakeExactGraph(shelf.store, Listed({"a", "b"})).graph;
  ASSERT_EQ(graph.held(0).size(), 2U);
  EXPECT_EQ(graph.disk(graph.held(0)[0]).count, 30);
  EXPECT_EQ(graph.download(graph.held(0)[0]).count, 7);
  EXPECT_EQ(graph.disk(graph.held(0)[1]).count, 1);
}

TEST(Holders, AreAllRootsThatReachAnObject) {
  Shelf shelf;
  const Index base = shelf.Put(1);
  const Index middle = shelf.Put(1, {base});
  const Index top = shelf.Put(1, {middle});
  shelf.Record("sha256:a", {top, middle});
  shelf.Hold(Root::kLease, {base});
  shelf.Record("sha256:b", {middle});
  const Holders holders(shelf.store);
  EXPECT_EQ(holders.Of(base), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(holders.Of(middle), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(holders.Of(top), (std::vector<std::size_t>{0}));
}

// Whole range from the first case on; rapidcheck would begin with the least values only.
template <class Number>
Number AnyOf(Number least, Number end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Number>(least, end));
}

// Any store: cycles, several namespaces, records of every kind of name, holders of every kind.
Store AnyStore(int images) {
  Store store;
  const auto objects = AnyOf<std::size_t>(1, 25);
  const auto edges = rc::gen::container<std::vector<Index>>(
      rc::gen::inRange<Index>(0, static_cast<Index>(objects)));
  for (std::size_t o = 0; o < objects; ++o) {
    const auto kind = *rc::gen::element(Kind::kBlob, Kind::kSnapshot, Kind::kEntry);
    const std::string number = std::to_string(AnyOf(0, 2 * images));
    const std::string name = *rc::gen::element<std::string>(
        "moby/sha256:" + number, "k8s.io/sha256:" + number, "sha256:" + number);
    store.objects.push_back({.kind = kind,
                             .name = name + std::string(kind == Kind::kEntry ? "" : "-"),
                             .disk = {AnyOf(0, 1000)},
                             .keeps = *rc::gen::resize(3, edges)});
  }
  const auto roots = AnyOf(0, 12);
  for (int r = 0; r < roots; ++r) {
    StoreRoot root{.kind = *rc::gen::element(Root::kRecord, Root::kRecord, Root::kRecord,
                                             Root::kContainer, Root::kLease, Root::kOther),
                   .space = *rc::gen::element<std::string>("k8s.io", "moby"),
                   .keeps = *rc::gen::resize(4, edges)};
    const std::string number = std::to_string(AnyOf(0, 2 * images));
    root.name = *rc::gen::element<std::string>("sha256:" + number, "r.example/" + number + ":1",
                                               "unheard-of:" + number);
    root.removable = root.kind == Root::kRecord && root.space == "k8s.io";
    store.roots.push_back(std::move(root));
  }
  return store;
}

std::vector<Image> AnyImages(int count) {
  std::vector<std::string> words;
  words.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) words.push_back(std::to_string(i));
  return Listed(words);
}

base::Bytes MarkedBytes(const Store& store, const std::vector<std::size_t>& roots) {
  const std::vector<bool> alive = Mark(store, roots);
  base::Bytes bytes;
  for (std::size_t o = 0; o < alive.size(); ++o) {
    if (alive[o]) bytes += store.objects[o].disk;
  }
  return bytes;
}

RC_GTEST_PROP(ExactGraph, FreesWhatTheMarkLosesWithoutTheVictimsRecords, ()) {
  const int count = AnyOf(1, 8);
  const Store store = AnyStore(count);
  const std::vector<Image> images = AnyImages(count);
  const auto victims =
      *rc::gen::container<std::vector<bool>>(images.size(), rc::gen::arbitrary<bool>());
  const auto owners = AssignRecords(store, images);
  std::vector<std::size_t> all;
  std::vector<std::size_t> without;
  for (std::size_t root = 0; root < store.roots.size(); ++root) {
    all.push_back(root);
    if (!owners[root] || !victims[*owners[root]]) without.push_back(root);
  }
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    if (victims[i]) set.push_back(i);
  }
  const ExactGraph exact = MakeExactGraph(store, images);
  RC_ASSERT(exact.graph.Freed(set) == MarkedBytes(store, all) - MarkedBytes(store, without));
}

RC_GTEST_PROP(ExactGraph, HoldersAreTheRootsThatMarkAnObject, ()) {
  const Store store = AnyStore(3);
  const Holders holders(store);
  for (Index o = 0; o < store.objects.size(); ++o) {
    std::vector<std::size_t> expected;
    for (std::size_t root = 0; root < store.roots.size(); ++root) {
      if (Mark(store, std::vector{root})[o]) expected.push_back(root);
    }
    RC_ASSERT(holders.Of(o) == expected);
  }
}

}  // namespace
}  // namespace ebb::image
