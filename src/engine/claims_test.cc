#include "engine/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/collect_test.h"
#include "testing/fake_pods.h"

namespace ebb::engine {
namespace {

using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(PodBook, WithoutASourceNothingIsKnownAndNobodyIsSilent) {
  PodBook book;
  book.Ask({}, {});
  EXPECT_FALSE(book.Known({}).pods);
  EXPECT_THAT(book.Known({}).not_answered, IsEmpty());
}

TEST(PodBook, PutsAllAnswersTogetherAndNamesWhoIsSilent) {
  testing::FakePods a("a");
  testing::FakePods silent("b");
  testing::FakePods c("c");
  a.Bind("one");
  silent.BeSilent();
  c.Bind("two");
  PodBook book;
  book.Ask(std::array<PodSource*, 3>{&a, &silent, &c}, {});
  const image::KnownPods known = book.Known({});
  EXPECT_THAT(*known.pods, ElementsAre(Field(&image::Pod::images, ElementsAre("one")),
                                       Field(&image::Pod::images, ElementsAre("two"))));
  EXPECT_THAT(known.not_answered, ElementsAre("b (connection refused)"));
  EXPECT_THAT(known.silent, ElementsAre("b (connection refused)")) << "it has never answered";
}

// P2.
TEST(PodBook, TheLastAnswerOfASourceThatFailsCountsForTenMinutes) {
  testing::FakePods source;
  source.Bind("one");
  const std::array<PodSource*, 1> sources = {&source};
  PodBook book;
  book.Ask(sources, minutes(1));
  source.BeSilent();
  book.Ask(sources, minutes(11));
  EXPECT_TRUE(book.Known(minutes(11)).pods);
  EXPECT_THAT(book.Known(minutes(11)).not_answered, ::testing::SizeIs(1));
  EXPECT_THAT(book.Known(minutes(11)).silent, IsEmpty());
  EXPECT_FALSE(book.Known(minutes(12)).pods);
  EXPECT_THAT(book.Known(minutes(12)).silent, ::testing::SizeIs(1));
}

TEST(PodBook, IsRecentForTenMinutesOrUntilItIsToAct) {
  testing::FakePods source;
  PodBook book;
  EXPECT_FALSE(book.Recent({}));
  book.Ask(std::array<PodSource*, 1>{&source}, {});
  EXPECT_TRUE(book.Recent(minutes(9)));
  EXPECT_FALSE(book.Recent(minutes(10)));
  book.Expire();
  EXPECT_FALSE(book.Recent({}));
  EXPECT_TRUE(book.Known({}).pods) << "what is known stays known";
}

TEST(PodBook, ASourceThatFailedIsAskedAgainAtOnce) {
  testing::FakePods source;
  source.BeSilent();
  PodBook book;
  book.Ask(std::array<PodSource*, 1>{&source}, {});
  EXPECT_FALSE(book.Recent({}));
}

TEST(PodBook, ASourceThatIsAskedNoMoreIsForgotten) {
  testing::FakePods source;
  source.Bind("one");
  PodBook book;
  book.Ask(std::array<PodSource*, 1>{&source}, {});
  book.Ask({}, {});
  EXPECT_FALSE(book.Known({}).pods);
}

// A node whose images are all unused, beside whoever knows of pods and pulls.
struct ClaimRig : CollectRig {
  ClaimRig() : CollectRig(4) {}
  Ports All() {
    Ports all = ports();
    all.pods = {&pods};
    all.pulls = &pulls;
    return all;
  }
  image::Report Remove() {
    const Ports all = All();
    seen = *Observe(all, options);
    plan = image::Decide(seen, policy, kAllUnused);
    if (between) between();
    return Collect(all, seen, plan, options, {});
  }
  std::string Name(int i) const { return "registry.example/idle:" + std::to_string(i); }
  bool Has(std::size_t i) const { return world.Has(ids[i]); }

  testing::FakePods pods;
  testing::FakePulls pulls;
  ObserveOptions options;
};

// P1: bound to this node, and not started yet.
TEST(Claims, AnImageOfAPodThatIsBoundToThisNodeStays) {
  ClaimRig node;
  node.pods.Bind(node.Name(1));
  node.Remove();
  EXPECT_TRUE(node.Has(1));
  EXPECT_FALSE(node.Has(0));
}

TEST(Claims, AnImageThatIsBeingPulledStays) {
  ClaimRig node;
  node.pulls.Pull(node.Name(2));
  node.Remove();
  EXPECT_TRUE(node.Has(2));
  EXPECT_FALSE(node.Has(0));
}

// P3: asked again right before every batch.
TEST(Claims, APodThatIsBoundAfterThePlanKeepsItsImageToo) {
  ClaimRig node;
  PodBook book;  // of what was said a moment ago
  node.options.pods = &book;
  node.between = [&] { node.pods.Bind(node.Name(1)); };
  node.Remove();
  EXPECT_TRUE(node.Has(1));
  EXPECT_FALSE(node.Has(0));
}

TEST(Claims, APullThatBeginsAfterThePlanKeepsItsImageToo) {
  ClaimRig node;
  node.between = [&] { node.pulls.Pull(node.Name(1)); };
  node.Remove();
  EXPECT_TRUE(node.Has(1));
  EXPECT_FALSE(node.Has(0));
}

// P2.
TEST(Claims, WhileASourceNeverAnsweredNothingIsRemoved) {
  ClaimRig node;
  node.pods.BeSilent();
  EXPECT_EQ(node.Remove().plan.conclusion, image::Conclusion::kInDoubt);
  EXPECT_THAT(node.plan.notes, ::testing::Contains(HasSubstr("connection refused")));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(node.Has(i));
}

TEST(Claims, AnAnswerOfLessThanTenMinutesAgoCountsWhileItsSourceFails) {
  ClaimRig node;
  PodBook book;
  node.options.pods = &book;
  node.pods.Bind(node.Name(1));
  ASSERT_TRUE(Observe(node.All(), node.options).ok());
  node.pods.BeSilent();
  node.clock.Advance(minutes(9));
  book.Expire();
  node.Remove();
  EXPECT_TRUE(node.Has(1)) << "it was needed nine minutes ago";
  EXPECT_FALSE(node.Has(0)) << "and others were not";
}

TEST(Claims, TenMinutesLaterRemovalsStopUnlessTheDiskIsAboveTheCriticalMark) {
  for (const int used : {80, 99}) {
    ClaimRig node;
    PodBook book;
    node.options.pods = &book;
    ASSERT_TRUE(Observe(node.All(), node.options).ok());
    node.pods.BeSilent();
    node.clock.Advance(minutes(11));
    node.world.FillTo({used});
    node.Remove();
    EXPECT_EQ(node.Has(0), used < 99) << used;
  }
}

TEST(Claims, WhoIsAskedIsNoLongerCalledNotChecked) {
  ClaimRig node;
  EXPECT_THAT(Observe(node.All(), {})->not_checked, IsEmpty());
  EXPECT_THAT(Observe(node.ports(), {})->not_checked, ElementsAre("pods", "pulls"));
  node.pulls.answer = base::Error{base::ErrorCode::kNotFound, "no such directory"};
  EXPECT_THAT(Observe(node.All(), {})->not_checked, ElementsAre("pulls"));
}

}  // namespace
}  // namespace ebb::engine
