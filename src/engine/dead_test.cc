#include "engine/dead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "testing/fake_containers.h"
#include "testing/fake_runtime.h"
#include "testing/heard_pod.h"
#include "testing/manual_clock.h"

namespace ebb::engine {
namespace {

using image::Outcome;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kImage = "registry.example/app:1";

struct DeadPod {
  std::string sandbox;
  std::string container;
  std::string log;
};

// A node of five hours ago, whose pods no source knows.
class Reclaim : public ::testing::Test {
 protected:
  Reclaim() {
    node_.AddImage(kImage, {100});
    for (DeadPod& pod : pods_) pod = Add();
    clock_.Advance(std::chrono::hours(5));
  }

  DeadPod Add() {
    DeadPod pod;
    pod.sandbox = node_.AddSandbox(kImage);
    node_.SetState(pod.sandbox, image::ContainerState::kExited);
    pod.container = node_.AddContainer(
        {.image = kImage, .state = image::ContainerState::kExited, .sandbox = pod.sandbox});
    pod.log = "default_pod_" + node_.PodOf(pod.sandbox);
    logs_.entries.push_back({image::LogEntry::Kind::kPodDirectory, pod.log, clock_.Now()});
    return pod;
  }

  image::DeadPlan Plan() {
    image::Observation seen;
    seen.taken_at = clock_.Now();
    const auto inventory = runtime_.List();
    seen.containers = inventory->containers;
    seen.sandboxes = inventory->sandboxes;
    ReadLogs(logs_, seen);
    return testing::DecideBesideAPod(seen, {.pods = known_, .not_answered = {}, .silent = {}},
                                     policy_);
  }
  DeadReport Run(const image::DeadPlan& plan) {
    return ReclaimDead({.clock = clock_,
                        .runtime = runtime_,
                        .remover = containers_,
                        .filesystems = disk_,
                        .logs = &logs_,
                        .time = time_},
                       plan, [this] { return stop_; });
  }
  DeadReport Run() { return Run(Plan()); }
  static const DeadRemoval& Of(const DeadReport& report, const image::DeadPlan& plan,
                               const std::string& id) {
    return *std::ranges::find_if(report.removals, [&](const DeadRemoval& removal) {
      return plan.things[removal.thing].id == id;
    });
  }

  testing::ManualClock clock_;
  testing::FakeNode node_{testing::Containerd17(), clock_};
  testing::FakeRuntime runtime_{node_};
  testing::FakeContainers containers_{node_};
  testing::FakeDisk disk_{node_};
  testing::FakeLogs logs_;
  std::array<DeadPod, 3> pods_;
  std::vector<image::Pod> known_;
  image::DeadPolicy policy_{.remove = true};
  base::Duration time_ = std::chrono::minutes(2);
  bool stop_ = false;
};

TEST_F(Reclaim, TakesContainersThenSandboxesThenLogsOfPodsThatAreGone) {
  const DeadReport report = Run();
  EXPECT_THAT(report.removals, SizeIs(9));
  EXPECT_THAT(report.removals, Each(Field(&DeadRemoval::outcome, Outcome::kRemoved)));
  EXPECT_THAT(node_.ListContainers(), IsEmpty());
  EXPECT_THAT(node_.ListSandboxes(), IsEmpty());
  EXPECT_THAT(logs_.entries, IsEmpty());
  EXPECT_THAT(logs_.removed_files, Contains("/logs/" + pods_[0].container));
  EXPECT_EQ(report.problem, "");
}

TEST_F(Reclaim, LeavesEverythingIfItIsOnlyToBeReported) {
  policy_.remove = false;
  EXPECT_THAT(Run().removals, IsEmpty());
  EXPECT_THAT(containers_.asked, IsEmpty());
  EXPECT_THAT(logs_.entries, SizeIs(3));
}

TEST_F(Reclaim, LeavesThePodThatASourceKnows) {
  known_.push_back({.uid = node_.PodOf(pods_[1].sandbox), .config_hash = {}});
  (void)Run();
  EXPECT_TRUE(node_.StateOf(pods_[1].container));
  EXPECT_TRUE(node_.StateOf(pods_[1].sandbox));
  EXPECT_FALSE(node_.StateOf(pods_[0].container));
  EXPECT_THAT(logs_.entries, ElementsAre(Field(&image::LogEntry::name, pods_[1].log)));
}

TEST_F(Reclaim, LooksAgainAndNeverKillsWhatWasStartedMeanwhile) {
  for (const auto state : {image::ContainerState::kRunning, image::ContainerState::kUnknown}) {
    node_.SetState(pods_[0].container, image::ContainerState::kCreated);
    const image::DeadPlan plan = Plan();
    containers_.before = [&](const std::string& id) {
      if (id == pods_[0].container) node_.SetState(id, state);
    };
    const DeadReport report = Run(plan);
    EXPECT_EQ(Of(report, plan, pods_[0].container).outcome, Outcome::kCameInUse);
    EXPECT_EQ(Of(report, plan, pods_[0].sandbox).outcome, Outcome::kCameInUse);
    EXPECT_EQ(Of(report, plan, pods_[0].log).outcome, Outcome::kCameInUse);
    EXPECT_THAT(containers_.killed, IsEmpty());
    EXPECT_TRUE(node_.StateOf(pods_[0].container));
  }
}

TEST_F(Reclaim, ASandboxThatIsReadyByNowStays) {
  const image::DeadPlan plan = Plan();
  node_.SetState(pods_[0].sandbox, image::ContainerState::kRunning);
  const DeadReport report = Run(plan);
  EXPECT_EQ(Of(report, plan, pods_[0].sandbox).outcome, Outcome::kCameInUse);
  EXPECT_TRUE(node_.StateOf(pods_[0].sandbox));
}

TEST_F(Reclaim, OneThatCannotBeRemovedStopsOnlyWhatNeedsIt) {
  containers_.failures[pods_[0].container] = {base::ErrorCode::kInternal, "device busy"};
  const image::DeadPlan plan = Plan();
  const DeadReport report = Run(plan);
  EXPECT_EQ(Of(report, plan, pods_[0].container).outcome, Outcome::kFailed);
  EXPECT_EQ(Of(report, plan, pods_[0].container).detail, "device busy");
  EXPECT_EQ(Of(report, plan, pods_[0].sandbox).outcome, Outcome::kCameInUse);
  EXPECT_EQ(Of(report, plan, pods_[0].log).outcome, Outcome::kCameInUse);
  EXPECT_EQ(Of(report, plan, pods_[2].log).outcome, Outcome::kRemoved);
  EXPECT_THAT(node_.ListContainers(), SizeIs(1));
}

TEST_F(Reclaim, WhatSomebodyElseRemovedIsAsGoodAsDone) {
  const image::DeadPlan plan = Plan();
  node_.RemoveSandbox(pods_[0].sandbox);
  logs_.entries.erase(logs_.entries.begin());
  const DeadReport report = Run(plan);
  for (const std::string& id : {pods_[0].container, pods_[0].sandbox, pods_[0].log}) {
    EXPECT_EQ(Of(report, plan, id).outcome, Outcome::kGone);
  }
  EXPECT_THAT(containers_.asked, Not(Contains(pods_[0].sandbox)));
}

TEST_F(Reclaim, LogsThatCannotBeRemovedAreSaidAndStopNothing) {
  const image::DeadPlan plan = Plan();
  logs_.problem = base::Error{base::ErrorCode::kInternal, "read-only file system"};
  const DeadReport report = Run(plan);
  EXPECT_EQ(Of(report, plan, pods_[0].container).outcome, Outcome::kRemoved);
  EXPECT_THAT(Of(report, plan, pods_[0].container).detail, HasSubstr("read-only"));
  EXPECT_EQ(Of(report, plan, pods_[0].log).outcome, Outcome::kFailed);
  EXPECT_THAT(node_.ListSandboxes(), IsEmpty());
}

TEST_F(Reclaim, ALogThatChangedMeanwhileStays) {
  const image::DeadPlan plan = Plan();
  logs_.problem = base::Error{base::ErrorCode::kConflict, "it changed meanwhile"};
  EXPECT_EQ(Of(Run(plan), plan, pods_[0].log).outcome, Outcome::kCameInUse);
}

TEST_F(Reclaim, ARuntimeThatStopsAnsweringEndsIt) {
  for (const DeadPod& pod : pods_) {
    containers_.failures[pod.container] = {base::ErrorCode::kUnavailable, "no answer"};
  }
  const DeadReport report = Run();
  EXPECT_THAT(containers_.asked, SizeIs(2)) << "one slow answer is no dead runtime";
  EXPECT_THAT(report.problem, HasSubstr("stopped answering"));
  EXPECT_EQ(report.removals.back().outcome, Outcome::kNotTried);
}

TEST_F(Reclaim, WithoutANewListNoSandboxAndNoLogGoes) {
  const image::DeadPlan plan = Plan();
  runtime_.Fail(testing::FakeRuntime::Method::kList, {base::ErrorCode::kInternal, "too large"});
  const DeadReport report = Run(plan);
  EXPECT_THAT(report.problem, HasSubstr("too large"));
  EXPECT_THAT(node_.ListSandboxes(), SizeIs(3));
  EXPECT_THAT(logs_.entries, SizeIs(3));
}

TEST_F(Reclaim, EndsWhenItsTimeIsOverAndTheNextPassGoesOn) {
  const image::DeadPlan plan = Plan();
  containers_.before = [&](const std::string&) { clock_.Advance(std::chrono::minutes(1)); };
  const DeadReport report = Run(plan);
  EXPECT_THAT(containers_.asked, SizeIs(2));
  EXPECT_THAT(report.problem, HasSubstr("next one"));
  containers_.before = nullptr;
  EXPECT_EQ(Run().problem, "");
  EXPECT_THAT(node_.ListContainers(), IsEmpty());
}

TEST_F(Reclaim, AStopIsHeardBetweenTwoRemovals) {
  const image::DeadPlan plan = Plan();
  containers_.before = [&](const std::string&) { stop_ = true; };
  const DeadReport report = Run(plan);
  EXPECT_THAT(containers_.asked, SizeIs(1));
  EXPECT_THAT(report.problem, HasSubstr("signal"));
}

TEST_F(Reclaim, MeasuresWhatCameFree) {
  node_.SetDisk({1 << 20}, {});
  const image::ImageId id = node_.AddImage("registry.example/lost:1", {4096});
  node_.AddContainer({.image = id.value, .state = image::ContainerState::kExited});
  EXPECT_TRUE(node_.RemoveImage(id.value).ok());
  clock_.Advance(std::chrono::hours(5));
  const DeadReport report = Run();
  ASSERT_THAT(report.before, SizeIs(1)) << "what cannot be measured is left out";
  EXPECT_GT(report.freed.count, 0);
  EXPECT_EQ(report.freed, report.after[0].available - report.before[0].available);
}

TEST_F(Reclaim, LogsThatCannotBeListedAreAWarning) {
  logs_.problem = base::Error{base::ErrorCode::kInternal, "permission denied"};
  image::Observation seen;
  ReadLogs(logs_, seen);
  EXPECT_THAT(seen.warnings, ElementsAre(HasSubstr("permission denied")));
}

}  // namespace
}  // namespace ebb::engine
