#include "engine/collect_test.h"

namespace ebb::engine {
namespace {

using Method = testing::FakeRuntime::Method;
using Node = CollectRig;

TEST(CollectFaults, KD5AContainerCreatedBetweenPlanAndRemovalSavesItsImage) {
  Node node(3);
  node.between = [&] { node.world.AddContainer("registry.example/idle:1"); };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[1]), Outcome::kCameInUse);
  EXPECT_TRUE(node.world.Has(node.ids[1]));
  EXPECT_FALSE(node.Asked(node.ids[1]));
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 2);
}

TEST(CollectFaults, AnImagePinnedBetweenPlanAndRemovalIsLeftAlone) {
  Node node(2);
  node.between = [&] { node.world.Pin(node.ids[0]); };
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kCameInUse);
  EXPECT_TRUE(node.world.Has(node.ids[0]));
}

TEST(CollectFaults, ASandboxStartedBetweenPlanAndRemovalSavesItsImage) {
  Node node(2);
  node.between = [&] { node.world.AddSandbox("registry.example/idle:0"); };
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kCameInUse);
}

TEST(CollectFaults, AContainerCreatedBetweenCheckAndRemovalIsDetectedAndTold) {
  Node node(2);
  bool created = false;
  node.world.before_remove = [&](const std::string&) {
    if (!std::exchange(created, true)) node.world.AddContainer("registry.example/idle:1");
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[1]), Outcome::kRaced);
}

TEST(CollectFaults, KD7OneImageThatCannotBeRemovedNeverStopsTheOthers) {
  Node node(5);
  node.world.Refuse(node.ids[0], {base::ErrorCode::kInternal, "device or resource busy"});
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kFailed);
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 4);
  EXPECT_EQ(report.ending, Ending::kNotReached);
}

TEST(CollectFaults, AnImageThatCouldNotBeRemovedIsLeftAloneForAWhileAndThenTriedAgain) {
  Node node(2);
  node.policy.min_seen_age = std::chrono::seconds(1);
  node.clock.Advance(std::chrono::seconds(1));
  node.world.Refuse(node.ids[0], {base::ErrorCode::kInternal, "input/output error"});
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kFailed);
  const auto asked = node.world.asked().size();
  const auto again = node.Run(kAllUnused);
  EXPECT_EQ(again.ending, Ending::kNothingToDo) << "reported once, not every round";
  EXPECT_EQ(node.plan.verdicts.front().reason, image::Reason::kBackOff);
  EXPECT_EQ(node.world.asked().size(), asked);
  node.clock.Advance(std::chrono::minutes(6));
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kFailed);
  node.policy = kAnyAge;
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kFailed)
      << "an emergency tries at once";
}

// Seen on containerd 1.6.20: its database has to grow to forget an image.
TEST(CollectFaults, WhatFoundNoRoomOnAFullDiskGoesOnceOthersHaveMadeRoom) {
  for (const bool holds : {false, true}) {
    Node node(5);
    node.holds = holds;
    node.world.FillTo({100});
    int calls = 0;
    node.runtime.finds_no_room = [&] { return ++calls < 5; };
    const auto report = node.Run(kAllUnused);
    EXPECT_EQ(node.Count(report, Outcome::kRemoved), 5);
    EXPECT_EQ(report.ending, Ending::kReached);
    EXPECT_EQ(report.measured, node.world.Available());
  }
}

TEST(CollectFaults, WhatFoundNoRoomIsNotAskedForAgainBeyondMaxBytes) {
  Node node(5);
  int calls = 0;
  node.runtime.finds_no_room = [&] { return ++calls < 5; };
  const auto report = node.Run(kAllUnused, {.max_bytes = base::Bytes{100}});
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 1);
  EXPECT_EQ(node.Count(report, Outcome::kFailed), 4);
}

TEST(CollectFaults, ADiskOnWhichNothingMakesRoomEndsTheRunAfterAskingOnceMore) {
  Node node(5);
  node.runtime.finds_no_room = [] { return true; };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.Count(report, Outcome::kFailed), 5);
  EXPECT_EQ(node.runtime.calls(Method::kRemove), 10);
  EXPECT_EQ(report.ending, Ending::kNotReached);
}

TEST(CollectFaults, WhatIsHeldNoMoreForWantOfRoomIsHeldAgainOnceThereIsSome) {
  Node node(3);
  node.holds = true;
  node.world.FillTo({100});
  node.holder.fail_take = base::Error{base::ErrorCode::kInternal, "no space left on device"};
  int calls = 0;
  node.runtime.finds_no_room = [&] {
    node.holder.fail_take.reset();
    return ++calls < 3;
  };
  EXPECT_EQ(node.Count(node.Run(kAllUnused), Outcome::kRemoved), 3);
  EXPECT_EQ(node.holder.taken, 2) << "the two that were asked for again";
}

TEST(CollectFaults, ARefusalOfTheRuntimeIsAVerdictAndNotAnError) {
  Node node(2, testing::CriO136());
  node.world.Refuse(node.ids[0], {base::ErrorCode::kHeld, "image is in use by a container"});
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kHeld);
  EXPECT_EQ(report.ending, Ending::kReached);
}

TEST(CollectFaults, KD19AnImageSomebodyElseRemovedIsAsGoodAsDone) {
  Node node(2);
  node.between = [&] { (void)node.world.RemoveImage(node.ids[0].value); };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kGone);
  EXPECT_EQ(report.ending, Ending::kReached);
}

TEST(CollectFaults, SuccessThatRemovedNothingIsFoundOutByListing) {
  Node node(2);
  node.world.Ignore(node.ids[0]);
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kFailed);
}

TEST(CollectFaults, ACallThatFailedAfterItsWorkWasDoneIsARemoval) {
  Node node(1);
  bool first = true;
  node.world.before_remove = [&](const std::string& reference) {
    // The image goes, and then the answer is lost.
    if (std::exchange(first, false)) (void)node.world.RemoveImage(reference);
  };
  node.runtime.Fail(Method::kRemove, {base::ErrorCode::kUnavailable, "socket closed"});
  node.between = [&] {
    node.history.fail_writes = base::Error{base::ErrorCode::kInternal, "full"};
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_NE(node.OutcomeOf(report, node.ids[0]), Outcome::kNotTried);
}

TEST(CollectFaults, ADoubtBeforeABatchStopsTheRunBeforeItRemovesAnything) {
  Node node(2);
  node.between = [&] {
    node.world.AddContainer({.image = "registry.example/idle:0", .anonymous = true});
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_TRUE(node.world.asked().empty());
}

TEST(CollectFaults, ARuntimeThatDiesHalfWayStopsTheRunAndNothingDoneIsLost) {
  Node node(40);
  node.world.DieAfter(20);
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_EQ(node.Count(report, Outcome::kNotTried) > 0, true);
  EXPECT_FALSE(node.history.runs.empty()) << "the run is in the history all the same";
}

TEST(CollectFaults, WhatIsAboutToBeRemovedIsWrittenDownBeforeAndFinishedAfter) {
  Node node(3);
  std::size_t open = 0;
  node.world.before_remove = [&](const std::string&) {
    open = static_cast<std::size_t>(
        std::ranges::count(node.history.batches, false, &testing::MemoryHistory::Batch::finished));
  };
  (void)node.Run(kAllUnused);
  EXPECT_EQ(open, 1U);
  ASSERT_FALSE(node.history.batches.empty());
  EXPECT_TRUE(node.history.batches.back().finished);
}

TEST(CollectFaults, AFullDiskThatTakesNoHistoryStopsNoRemoval) {
  Node node(3);
  node.between = [&] {
    node.history.fail_writes = base::Error{base::ErrorCode::kInternal, "disk full"};
  };
  EXPECT_EQ(node.Count(node.Run(kAllUnused), Outcome::kRemoved), 3);
  EXPECT_TRUE(node.log.Contains("disk full"));
}

TEST(CollectFaults, AnImageUsedDuringTheRunIsTooYoungForTheRestOfIt) {
  Node node(40);
  std::string container;
  int removals = 0;
  node.world.before_remove = [&](const std::string&) {
    // In use during the look after the first batch, free again before the second.
    if (++removals == 1) container = node.world.AddContainer("registry.example/idle:39");
    if (removals == 17) node.world.RemoveContainer(container);
  };
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[39]), Outcome::kCameInUse);
}

TEST(CollectFaults, ADiskThatCanNoLongerBeMeasuredEndsARunForBytes) {
  Node node(20);
  node.world.FillTo({90});
  int measured = 0;
  node.disk.after_measure = [&](image::Filesystem& fs) {
    if (++measured > 1) fs.problem = "did not answer within 2s";
  };
  const auto report =
      node.Run({.kind = Target::Kind::kUsedPercent, .percent = {80}}, {.limit = 20});
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_LE(node.Count(report, Outcome::kRemoved), 4);
}

}  // namespace
}  // namespace ebb::engine
