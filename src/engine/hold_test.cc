// Held removal (P3): what came into use while it was removed is back before anything was freed.
#include <gmock/gmock.h>

#include "engine/collect_test.h"
#include "engine/recover.h"

namespace ebb::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Holding : CollectRig {
  explicit Holding(int idle) : CollectRig(idle) { holds = true; }
};

TEST(HeldRemoval, AContainerCreatedBetweenCheckAndRemovalHasItsImageBack) {
  Holding node(3);
  node.world.before_remove = [&](const std::string& id) {
    if (id == node.ids[1].value) node.world.AddContainer("registry.example/idle:1");
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[1]), Outcome::kRestored);
  EXPECT_TRUE(node.world.Has(node.ids[1]));
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 2) << "the others go all the same";
  EXPECT_EQ(report.ending, Ending::kReached);
  EXPECT_THAT(node.world.holds(), IsEmpty());
}

TEST(HeldRemoval, NothingIsFreedBeforeTheSecondLook) {
  Holding node(2);
  const auto before = node.world.Available();
  base::Bytes during{-1};
  int lists = 0;
  node.world.after_list = [&] {
    if (++lists == 3) during = node.world.Available();  // observation, first look, second look
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(during, before);
  EXPECT_GT(node.world.Available(), before);
  EXPECT_EQ(report.measured, node.world.Available() - before);
}

TEST(HeldRemoval, ABatchIsSixtyFourBecauseNothingCanBeLost) {
  Holding node(40);
  EXPECT_EQ(node.Run(kAllUnused).batches, 1);
}

TEST(HeldRemoval, WhereNothingCanBeHeldAnyMoreItGoesOnInSmallBatchesAndSaysSo) {
  Holding node(40);
  node.holder.fail_take = base::Error{base::ErrorCode::kInternal, "no space left on device"};
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 40);
  EXPECT_EQ(report.batches, 3);
  EXPECT_TRUE(node.log.Contains("no space left on device"));
}

TEST(HeldRemoval, AnImageThatCannotBeBroughtBackStaysHeldAndEndsTheRun) {
  Holding node(2);
  node.holder.fail_restore = base::Error{base::ErrorCode::kUnavailable, "nobody answers"};
  node.world.before_remove = [&](const std::string& id) {
    if (id == node.ids[0].value) node.world.AddContainer("registry.example/idle:0");
  };
  const auto before = node.world.Available();
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_THAT(report.problem, HasSubstr("nobody answers"));
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kRaced);
  EXPECT_EQ(node.world.holds().size(), 1U) << "the next run can still bring it back";
  EXPECT_EQ(node.world.Available(), before);
}

TEST(HeldRemoval, ASecondLookInDoubtBringsEverythingBack) {
  Holding node(3);
  int removals = 0;
  node.world.before_remove = [&](const std::string&) {
    // Whose image this is nobody can say: it may be any of them.
    if (++removals == 3) {
      node.world.AddContainer({.image = "registry.example/idle:2", .anonymous = true});
    }
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  for (const ImageId& id : node.ids) {
    EXPECT_TRUE(node.world.Has(id));
    EXPECT_EQ(node.OutcomeOf(report, id), Outcome::kRestored);
  }
  EXPECT_EQ(report.predicted.count, 0) << "nothing went, so nothing is missing";
}

TEST(HeldRemoval, ARuntimeThatDoesNotAnswerTheHoldEndsTheRunBeforeAnythingGoes) {
  Holding node(3);
  node.holder.fail_take = base::Error{base::ErrorCode::kUnavailable, "nobody answers"};
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_EQ(report.problem_code, base::ErrorCode::kUnavailable);
  for (const ImageId& id : node.ids) EXPECT_TRUE(node.world.Has(id));
}

TEST(HeldRemoval, ASecondLookThatFailsLeavesTheHold) {
  Holding node(1);
  node.world.before_remove = [&](const std::string&) {
    node.runtime.Fail(testing::FakeRuntime::Method::kList,
                      {base::ErrorCode::kUnavailable, "nobody answers"});
  };
  EXPECT_EQ(node.Run(kAllUnused).ending, Ending::kStopped);
  EXPECT_EQ(node.world.holds().size(), 1U);
}

TEST(HeldRemoval, TheNextRunBringsBackWhatCameIntoUseAfterACrashAndFreesTheRest) {
  Holding node(2);
  const int hold = node.world.Hold(node.ids);
  EXPECT_EQ(hold, 1);
  for (const ImageId& id : node.ids) ASSERT_TRUE(node.world.RemoveImage(id.value).ok());
  const auto full = node.world.Available();
  node.world.RestoreHeld(hold, std::span(node.ids).first(1));
  node.world.AddContainer("registry.example/idle:0");
  ASSERT_TRUE(node.world.RemoveImage(node.ids[0].value).ok());

  const auto told = CompleteLeftovers(node.ports(), {});
  ASSERT_TRUE(told.ok()) << told.error().message;
  EXPECT_TRUE(node.world.Has(node.ids[0]));
  EXPECT_FALSE(node.world.Has(node.ids[1]));
  EXPECT_THAT(node.world.holds(), IsEmpty());
  EXPECT_GT(node.world.Available(), full);
  ASSERT_EQ(told->size(), 1U);
  EXPECT_THAT(told->front(), HasSubstr("registry.example/idle:0 was brought back"));
}

TEST(HeldRemoval, WithoutAnythingLeftOverThereIsNothingToTell) {
  Holding node(1);
  const auto told = CompleteLeftovers(node.ports(), {});
  ASSERT_TRUE(told.ok());
  EXPECT_THAT(*told, IsEmpty());
  node.holds = false;
  EXPECT_TRUE(CompleteLeftovers(node.ports(), {}).ok());
}

}  // namespace
}  // namespace ebb::engine
