#include "engine/collect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/collected_log.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/memory_history.h"

namespace ebb::engine {
namespace {

using image::Ending;
using image::ImageId;
using image::Outcome;
using image::Target;
using testing::FakeRuntime;
using Method = FakeRuntime::Method;

const image::Policy kAnyAge{.min_seen_age = {}, .min_idle_age = {}};
const Target kAllUnused{.kind = Target::Kind::kAllUnused};

// A node of 10,000 bytes with `idle` images of 100 bytes each, and what a run did to it.
struct Node {
  explicit Node(int idle, testing::Profile profile = testing::Containerd17())
      : world(std::move(profile), clock) {
    world.SetDisk({10000}, {});
    for (int i = 0; i < idle; ++i) {
      clock.Advance(std::chrono::minutes(1));
      ids.push_back(world.AddImage("registry.example/idle:" + std::to_string(i), {100}));
      Look();
    }
  }
  void Look() {
    if (Observe(ports(), {}).ok()) return;
    ADD_FAILURE() << "the node cannot be observed";
  }
  Ports ports() {
    return {.clock = &clock,
            .log = &log,
            .runtime = &runtime,
            .remover = &runtime,
            .filesystems = &disk,
            .history = &history};
  }
  image::Report Run(const Target& target, const CollectOptions& options = {}) {
    auto observed = Observe(ports(), {});
    EXPECT_TRUE(observed.ok());
    seen = *observed;
    plan = image::Decide(seen, kAnyAge, target);
    if (between) between();
    return Collect(ports(), seen, plan, {}, options);
  }
  Outcome OutcomeOf(const image::Report& report, const ImageId& id) const {
    for (const image::Removal& removal : report.removals) {
      if (seen.images[removal.image].id == id) return removal.outcome;
    }
    ADD_FAILURE() << id.value << " was not to be removed";
    return Outcome::kNotTried;
  }
  int Count(const image::Report& report, Outcome outcome) const {
    return static_cast<int>(std::ranges::count(report.removals, outcome, &image::Removal::outcome));
  }
  bool Asked(const ImageId& id) const {
    const auto asked = world.asked();
    return std::ranges::find(asked, id.value) != asked.end();
  }

  testing::ManualClock clock;
  testing::FakeNode world;
  FakeRuntime runtime{world};
  testing::FakeDisk disk{world};
  testing::MemoryHistory history;
  testing::CollectedLog log;
  std::vector<ImageId> ids;
  image::Observation seen;
  image::Plan plan;
  std::function<void()> between;  // plan and removal
};

class CollectOnEveryRuntime : public ::testing::TestWithParam<testing::Profile> {};

TEST_P(CollectOnEveryRuntime, RemovesWhatIsUnusedAndNothingElse) {
  Node node(3, GetParam());
  const auto used = node.world.AddImage("registry.example/used:1", {100});
  const auto pause = node.world.AddImage("registry.k8s.io/pause:3.9", {10});
  node.world.SetSandboxImage("registry.k8s.io/pause:3.9");
  node.world.AddContainer("registry.example/used:1", image::ContainerState::kExited);
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kReached) << report.problem;
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 3);
  for (const ImageId& id : node.ids) EXPECT_FALSE(node.world.Has(id));
  EXPECT_TRUE(node.world.Has(used));
  EXPECT_TRUE(node.world.Has(pause));
  EXPECT_FALSE(node.Asked(used)) << "not even asked for";
  EXPECT_FALSE(node.Asked(pause));
}

TEST_P(CollectOnEveryRuntime, ASecondRunHasNothingToDo) {
  Node node(3, GetParam());
  (void)node.Run(kAllUnused);
  EXPECT_EQ(node.Run(kAllUnused).ending, Ending::kNothingToDo);
}

TEST_P(CollectOnEveryRuntime, TheLastPartOfAnIdIsNotConfusedWithItsName) {
  Node node(2, GetParam());
  (void)node.Run(kAllUnused);
  for (const std::string& asked : node.world.asked()) {
    EXPECT_TRUE(std::ranges::any_of(node.ids, [&](const ImageId& id) { return id.value == asked; }))
        << "images are removed by ID, never by name: " << asked;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CollectOnEveryRuntime, ::testing::ValuesIn(testing::AllProfiles()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(Collect, StopsWhenTheMeasuredDiskHasReachedTheTarget) {
  Node node(20);
  node.world.FillTo({90});
  const auto report = node.Run({.kind = Target::Kind::kUsedPercent, .percent = {80}});
  EXPECT_EQ(report.ending, Ending::kReached);
  EXPECT_GE(report.measured, report.plan.need);
  EXPECT_LE(node.Count(report, Outcome::kRemoved), 5) << "20 images are not all removed for 10%";
}

TEST(Collect, WhereBytesAreEstimatedAndMeasureShortTheNextInOrderGo) {
  const Target to80{.kind = Target::Kind::kUsedPercent, .percent = {80}};
  for (const std::size_t limit : {0U, 15U}) {
    Node node(20);
    node.world.FillTo({90});
    const auto start = node.world.Available();
    node.disk.after_measure = [&](image::Filesystem& fs) {
      fs.available.count = (start.count + fs.available.count) / 2;
    };
    const auto report = node.Run(to80, {.limit = limit});
    if (limit == 0) {
      EXPECT_EQ(report.ending, Ending::kNotReached);
      EXPECT_EQ(report.removals.size(), node.plan.removals);
      continue;
    }
    EXPECT_EQ(report.ending, Ending::kReached);
    EXPECT_EQ(node.Count(report, Outcome::kRemoved), 7) << "1000 bytes, 150 real ones an image";
    EXPECT_EQ(report.plan.removals, report.removals.size());
  }
}

TEST(Collect, KD4WhatIsFreedIsMeasuredAndStandsBesideThePrediction) {
  Node node(4);
  const auto before = node.world.Available();
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.measured, node.world.Available() - before);
  EXPECT_GT(report.predicted.count, 0);
}

TEST(Collect, KD5AContainerCreatedBetweenPlanAndRemovalSavesItsImage) {
  Node node(3);
  node.between = [&] { node.world.AddContainer("registry.example/idle:1"); };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[1]), Outcome::kCameInUse);
  EXPECT_TRUE(node.world.Has(node.ids[1]));
  EXPECT_FALSE(node.Asked(node.ids[1]));
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 2);
}

TEST(Collect, AnImagePinnedBetweenPlanAndRemovalIsLeftAlone) {
  Node node(2);
  node.between = [&] { node.world.Pin(node.ids[0]); };
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kCameInUse);
  EXPECT_TRUE(node.world.Has(node.ids[0]));
}

TEST(Collect, ASandboxStartedBetweenPlanAndRemovalSavesItsImage) {
  Node node(2);
  node.between = [&] { node.world.AddSandbox("registry.example/idle:0"); };
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), node.ids[0]), Outcome::kCameInUse);
}

TEST(Collect, AContainerCreatedBetweenCheckAndRemovalIsDetectedAndTold) {
  Node node(2);
  bool created = false;
  node.world.before_remove = [&](const std::string&) {
    if (!std::exchange(created, true)) node.world.AddContainer("registry.example/idle:1");
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[1]), Outcome::kRaced);
}

TEST(Collect, KD7OneImageThatCannotBeRemovedNeverStopsTheOthers) {
  Node node(5);
  node.world.Refuse(node.ids[0], {base::ErrorCode::kInternal, "device or resource busy"});
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kFailed);
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 4);
  EXPECT_EQ(report.ending, Ending::kNotReached);
}

TEST(Collect, ARefusalOfTheRuntimeIsAVerdictAndNotAnError) {
  Node node(2, testing::CriO136());
  node.world.Refuse(node.ids[0], {base::ErrorCode::kHeld, "image is in use by a container"});
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kHeld);
  EXPECT_EQ(report.ending, Ending::kReached);
}

TEST(Collect, KD19AnImageSomebodyElseRemovedIsAsGoodAsDone) {
  Node node(2);
  node.between = [&] { (void)node.world.RemoveImage(node.ids[0].value); };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kGone);
  EXPECT_EQ(report.ending, Ending::kReached);
}

TEST(Collect, SuccessThatRemovedNothingIsFoundOutByListing) {
  Node node(2);
  node.world.Ignore(node.ids[0]);
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(node.OutcomeOf(report, node.ids[0]), Outcome::kFailed);
}

TEST(Collect, ACallThatFailedAfterItsWorkWasDoneIsARemoval) {
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

TEST(Collect, ADoubtBeforeABatchStopsTheRunBeforeItRemovesAnything) {
  Node node(2);
  node.between = [&] {
    node.world.AddContainer({.image = "registry.example/idle:0", .anonymous = true});
  };
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_TRUE(node.world.asked().empty());
}

TEST(Collect, ARuntimeThatDiesHalfWayStopsTheRunAndNothingDoneIsLost) {
  Node node(40);
  node.world.DieAfter(20);
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.ending, Ending::kStopped);
  EXPECT_EQ(node.Count(report, Outcome::kNotTried) > 0, true);
  EXPECT_FALSE(node.history.runs.empty()) << "the run is in the history all the same";
}

TEST(Collect, WhatIsAboutToBeRemovedIsWrittenDownBeforeAndFinishedAfter) {
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

TEST(Collect, AFullDiskThatTakesNoHistoryStopsNoRemoval) {
  Node node(3);
  node.between = [&] {
    node.history.fail_writes = base::Error{base::ErrorCode::kInternal, "disk full"};
  };
  EXPECT_EQ(node.Count(node.Run(kAllUnused), Outcome::kRemoved), 3);
  EXPECT_TRUE(node.log.Contains("disk full"));
}

TEST(Collect, WhereNothingCanBeHeldABatchIsSixteenAndElsewhereSixtyFour) {
  Node blind(40);
  EXPECT_EQ(blind.Run(kAllUnused).batches, 3);
  Node refusing(40, testing::CriO136());
  EXPECT_EQ(refusing.Run(kAllUnused).batches, 1);
}

TEST(Collect, AStopEndsTheRunBetweenTwoBatches) {
  Node node(40);
  std::atomic<bool> stop = false;
  node.world.before_remove = [&](const std::string&) { stop = true; };
  const auto report = node.Run(kAllUnused, {.stop = &stop});
  EXPECT_EQ(report.ending, Ending::kInterrupted);
  EXPECT_EQ(node.Count(report, Outcome::kRemoved), 16);
  EXPECT_EQ(node.Count(report, Outcome::kNotTried), 24);
}

TEST(Collect, OnARuntimeThatFreesLateItWaitsForTheBytes) {
  Node node(4, testing::Containerd203());
  const auto report = node.Run(kAllUnused);
  EXPECT_GT(report.measured.count, 0);
}

TEST(Collect, BytesThatNeverComeAreNotWaitedForForEver) {
  Node node(2, testing::Containerd203());
  node.world.SetLateBy(std::chrono::hours(1));
  const auto start = node.clock.Elapsed();
  (void)node.Run(kAllUnused);
  EXPECT_LE(node.clock.Elapsed() - start, std::chrono::seconds(11));
}

TEST(Collect, ASlowBatchMakesTheNextOneSmaller) {
  Node node(40, testing::CriO136());
  node.world.before_remove = [&](const std::string&) {
    node.clock.Advance(std::chrono::seconds(1));
  };
  const auto report = node.Run(kAllUnused, {.max_batch = 8});
  EXPECT_GT(report.batches, 5) << "two seconds hold two images";
}

TEST(Collect, AnImageUsedDuringTheRunIsTooYoungForTheRestOfIt) {
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

TEST(Collect, ADiskThatCanNoLongerBeMeasuredEndsARunForBytes) {
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

TEST(Collect, TheReserveIsNotThrownAfterADiskThatFillsAsFastAsItIsFreed) {
  Node node(20);
  node.world.FillTo({90});
  const auto start = node.world.Available();
  node.disk.after_measure = [&](image::Filesystem& fs) { fs.available = start; };
  const auto report =
      node.Run({.kind = Target::Kind::kUsedPercent, .percent = {80}}, {.limit = 20});
  EXPECT_EQ(report.ending, Ending::kNotReached);
  EXPECT_EQ(report.removals.size(), node.plan.removals);
}

TEST(Collect, ADoubtIsNotATargetMissed) {
  Node node(2);
  node.world.FillTo({95});
  node.world.AddContainer({.image = "registry.example/idle:0", .anonymous = true});
  EXPECT_EQ(node.Run({.kind = Target::Kind::kUsedPercent, .percent = {50}}).ending,
            Ending::kNothingToDo);
}

TEST(Collect, ProgressIsToldAfterEveryBatch) {
  Node node(40);
  std::vector<std::size_t> told;
  (void)node.Run(kAllUnused,
                 {.progress = [&](std::size_t decided, base::Bytes) { told.push_back(decided); }});
  EXPECT_EQ(told, (std::vector<std::size_t>{16, 32, 40}));
}

}  // namespace
}  // namespace ebb::engine
