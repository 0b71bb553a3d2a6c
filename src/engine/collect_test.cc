#include "engine/collect_test.h"

namespace ebb::engine {
namespace {

using Node = CollectRig;

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

TEST(Collect, TellsTheHistoryWhatBeganTheRun) {
  Node node(1);
  (void)node.Run(kAllUnused);
  ASSERT_EQ(node.history.runs.size(), 1U);
  EXPECT_EQ(node.history.runs[0].trigger, "collect") << "unless somebody says otherwise";
  node.world.AddImage("registry.example/more:1", {100});
  (void)node.Run(kAllUnused, {.trigger = "inodes"});
  ASSERT_EQ(node.history.runs.size(), 2U);
  EXPECT_EQ(node.history.runs[1].trigger, "inodes");
}

TEST(Collect, AnImageThatIsBackBeforeTheNextLookIsDatedAnew) {
  Node node(1);
  (void)node.Run(kAllUnused);
  node.clock.Advance(std::chrono::minutes(5));
  node.ids.push_back(node.world.AddImage("registry.example/idle:0", {100}));
  node.Look();
  ASSERT_EQ(node.history.records.size(), 1U);
  EXPECT_EQ(node.history.records[0].usage.first_seen, node.clock.Now());
  EXPECT_EQ(node.history.records[0].usage.pulls, 2);
}

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

TEST(Collect, NoBatchBeginsOnceTheMeasuredBytesHaveReachedTheLimit) {
  Node node(40);
  const auto report = node.Run(kAllUnused, {.max_bytes = base::Bytes{1}});
  EXPECT_EQ(report.ending, Ending::kNotReached);
  EXPECT_EQ(report.batches, 1);
}

TEST(Collect, KD11AnImageGoesByTheRuntimeHandlerThatHasIt) {
  Node node(0);
  const auto id = node.world.AddImage(
      {.name = "registry.example/vm:1", .layers = {{"vm", {100}}}, .handler = "kata"});
  EXPECT_EQ(node.OutcomeOf(node.Run(kAllUnused), id), Outcome::kRemoved);
  EXPECT_FALSE(node.world.Has(id));
}

TEST(Collect, KD4WhatIsFreedIsMeasuredAndStandsBesideThePrediction) {
  Node node(4);
  const auto before = node.world.Available();
  const auto report = node.Run(kAllUnused);
  EXPECT_EQ(report.measured, node.world.Available() - before);
  EXPECT_GT(report.predicted.count, 0);
}

TEST(Collect, WhereNothingCanBeHeldABatchIsSixteenAndElsewhereSixtyFour) {
  Node blind(40);
  EXPECT_EQ(blind.Run(kAllUnused).batches, 3);
  Node refusing(40, testing::CriO136());
  EXPECT_EQ(refusing.Run(kAllUnused).batches, 1);
}

TEST(Collect, AStopEndsTheRunBetweenTwoBatches) {
  Node node(40);
  bool stop = false;
  node.world.before_remove = [&](const std::string&) { stop = true; };
  const auto report = node.Run(kAllUnused, {.stopped = [&] { return stop; }});
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
