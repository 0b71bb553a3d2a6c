#include "image/classes.h"

#include <gtest/gtest.h>

#include <random>

#include "image/exact_graph.h"
#include "testing/shelf.h"

namespace ebb::image {
namespace {

Plan PlanOf(const std::vector<Reason>& reasons) {
  Plan plan;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    plan.verdicts.push_back({.image = i, .reason = reasons[i]});
  }
  return plan;
}

Observation SeenWith(StoreGraph store) {
  Observation seen;
  for (std::size_t i = 0; i < store.image_count(); ++i) {
    seen.images.push_back({.id = {std::to_string(i)}});
  }
  seen.store = std::move(store);
  return seen;
}

std::string Text(const ByteClasses& classes) {
  std::string text;
  for (const ByteClass& entry : classes.classes) {
    text.append(entry.reason ? Code(*entry.reason) : "removable");
    text += " " + std::to_string(entry.images) + "/" + std::to_string(entry.bytes.count) + " ";
  }
  return text;
}

// Base 1000 is held by all; each image has a piece of its own: 1, 2, 4, 8.
StoreGraph SharedBase() {
  return {Accounting::kExact, {{1000}, {1}, {2}, {4}, {8}}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}};
}

TEST(Classes, GiveASharedByteToTheStrongestHolder) {
  const Observation seen = SeenWith(SharedBase());
  EXPECT_EQ(Text(ClassifyBytes(seen, PlanOf({Reason::kNotNeeded, Reason::kTooYoung, Reason::kPinned,
                                             Reason::kInUse}))),
            "in-use 1/1008 pinned 1/4 too-young 1/2 removable 1/1 ");
  EXPECT_EQ(Text(ClassifyBytes(seen, PlanOf({Reason::kNotNeeded, Reason::kOverMark, Reason::kHeld,
                                             Reason::kTooYoung}))),
            "too-young 1/1008 removable 3/7 ");
}

TEST(Classes, CountEveryByteOfImagesThatAreAllRemovable) {
  const Observation seen = SeenWith(SharedBase());
  const std::vector<Reason> free(4, Reason::kAllUnused);
  EXPECT_EQ(Text(ClassifyBytes(seen, PlanOf(free))), "removable 4/1015 ");
}

TEST(Classes, PutTooYoungBehindEveryOtherProtection) {
  const Observation seen = SeenWith(SharedBase());
  EXPECT_EQ(Text(ClassifyBytes(seen, PlanOf({Reason::kTooYoung, Reason::kKeepNewest,
                                             Reason::kInDoubt, Reason::kSandbox}))),
            "sandbox 1/1008 in-doubt 1/4 keep-newest 1/2 too-young 1/1 ");
}

TEST(Classes, TakeAnImageWithoutAVerdictForUnresolved) {
  const Observation seen = SeenWith(SharedBase());
  EXPECT_EQ(Text(ClassifyBytes(seen, PlanOf({Reason::kNotNeeded}))),
            "unresolved 3/1014 removable 1/1 ");
}

TEST(Classes, AddUpToTheWholeStoreWhateverIsShared) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 300; ++round) {
    std::vector<base::Bytes> pieces(1 + below(20));
    for (auto& piece : pieces) piece = {static_cast<std::int64_t>(below(1000))};
    std::vector<std::vector<StoreGraph::Piece>> held(below(12));
    std::vector<Reason> reasons;
    for (auto& image : held) {
      for (StoreGraph::Piece p = 0; p < pieces.size(); ++p) {
        if (below(3) == 0) image.push_back(p);
      }
      reasons.push_back(AllReasons()[below(AllReasons().size())]);
    }
    const Observation seen = SeenWith({Accounting::kExact, pieces, held});
    const ByteClasses classes = ClassifyBytes(seen, PlanOf(reasons));
    base::Bytes sum;
    std::size_t images = 0;
    for (const ByteClass& entry : classes.classes) {
      EXPECT_GE(entry.bytes, base::Bytes{});
      sum += entry.bytes;
      images += entry.images;
    }
    EXPECT_EQ(sum, seen.store.Total());
    EXPECT_EQ(classes.total, seen.store.Total());
    EXPECT_EQ(images, held.size());
  }
}

TEST(Classes, CallWhatIsLeftOfTheDiskNotImages) {
  Observation seen = SeenWith(SharedBase());
  EXPECT_FALSE(ClassifyBytes(seen, {}).not_images.has_value());
  seen.filesystems = {{.holds_images = false, .capacity = {9000}},
                      {.holds_images = true, .capacity = {5000}, .available = {3000}}};
  EXPECT_EQ(ClassifyBytes(seen, {}).not_images, base::Bytes{2000 - 1015});
  EXPECT_FALSE(ClassifyBytes(seen, {}).estimated);
  seen.filesystems[1].problem = "statfs hangs";
  EXPECT_FALSE(ClassifyBytes(seen, {}).not_images.has_value());
}

TEST(Classes, NeverCallLessThanNothingNotImages) {
  Observation seen = SeenWith({Accounting::kReported, {{4000}}, {{0}}});
  seen.filesystems = {{.holds_images = true, .capacity = {5000}, .available = {3000}}};
  const ByteClasses classes = ClassifyBytes(seen, {});
  EXPECT_EQ(classes.not_images, base::Bytes{0});
  EXPECT_TRUE(classes.estimated);
}

// The base is everybody's; "a" runs, "b" is unused, and "c" is unused but leased.
Observation StoredWorld() {
  testing::Shelf shelf;
  const auto base = shelf.Put(1000);
  const auto a = shelf.Put(1, {base});
  const auto b = shelf.Put(2, {base});
  const auto c = shelf.Put(4, {base});
  const auto foreign = shelf.Put(8);
  (void)shelf.Put(16);  // nobody keeps it
  const auto gone = shelf.Put(32);
  shelf.Record("sha256:a", {a});
  shelf.Record("sha256:b", {b});
  shelf.Record("sha256:c", {c});
  shelf.Hold(StoreRoot::Kind::kContainer, {a});
  shelf.Hold(StoreRoot::Kind::kContainer, {gone});
  shelf.Hold(StoreRoot::Kind::kLease, {c});
  shelf.store.roots.push_back({.space = "moby", .name = "other", .keeps = {foreign}});
  Observation seen;
  seen.images = testing::Listed({"a", "b", "c"});
  seen.store = MakeExactGraph(shelf.store, seen.images).graph;
  seen.objects = shelf.store;
  return seen;
}

TEST(Classes, WithAStoreEveryByteIsOnceInTheClassOfItsStrongestHolder) {
  const auto classes = ClassifyBytes(
      StoredWorld(), PlanOf({Reason::kInUse, Reason::kNotNeeded, Reason::kNotNeeded}));
  EXPECT_EQ(Text(classes), "in-use 1/1001 removable 2/2 ");
  EXPECT_EQ(classes.garbage.count, 16);
  ASSERT_EQ(classes.elsewhere.size(), 3U);
  EXPECT_EQ(classes.elsewhere[0].kind, StoreRoot::Kind::kContainer);
  EXPECT_EQ(classes.elsewhere[0].bytes.count, 32) << "its image is gone, its snapshot is not";
  EXPECT_EQ(classes.elsewhere[1].space, "moby");
  EXPECT_EQ(classes.elsewhere[2].kind, StoreRoot::Kind::kLease);
  EXPECT_EQ(classes.elsewhere[2].bytes.count, 4) << "a leased image frees nothing";
  EXPECT_EQ(classes.total.count, 1003);
}

TEST(Classes, WithAStoreWhatIsRemovableIsWhatRemovingItWouldFree) {
  const Observation seen = StoredWorld();
  const auto classes =
      ClassifyBytes(seen, PlanOf({Reason::kInUse, Reason::kNotNeeded, Reason::kNotNeeded}));
  EXPECT_EQ(classes.classes.back().bytes, seen.store.Freed(std::vector<std::size_t>{1, 2}));
}

TEST(Classes, WithAStoreTheRestOfTheDiskIsWhatNothingInItExplains) {
  Observation seen = StoredWorld();
  seen.filesystems = {{.holds_images = true, .capacity = {5000}, .available = {3000}}};
  const auto classes =
      ClassifyBytes(seen, PlanOf({Reason::kInUse, Reason::kNotNeeded, Reason::kNotNeeded}));
  EXPECT_EQ(classes.not_images, base::Bytes{2000 - 1003 - 16 - 32 - 8 - 4});
}

}  // namespace
}  // namespace ebb::image
