#include "engine/observe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "image/protection.h"
#include "testing/collected_log.h"
#include "testing/fake_runtime.h"
#include "testing/manual_clock.h"
#include "testing/memory_history.h"

namespace ebb::engine {
namespace {

using image::Reason;
using testing::FakeRuntime;
using Method = FakeRuntime::Method;

struct Node {
  explicit Node(testing::Profile profile = testing::Containerd17())
      : world(std::move(profile), clock) {
    world.SetDisk({10000}, {1000});
  }
  Ports ports() {
    return {.clock = &clock,
            .log = &log,
            .runtime = &runtime,
            .remover = &runtime,
            .filesystems = &disk,
            .history = &history};
  }
  image::Observation Observe(const ObserveOptions& options = {}) {
    auto seen = engine::Observe(ports(), options);
    EXPECT_TRUE(seen.ok()) << (seen.ok() ? "" : seen.error().message);
    return seen.ok() ? *seen : image::Observation{};
  }
  std::optional<Reason> ReasonOf(const image::Observation& seen, const image::ImageId& id) {
    const auto shields = image::Protect(seen, {.min_seen_age = {}, .min_idle_age = {}}).shields;
    for (std::size_t i = 0; i < seen.images.size(); ++i) {
      if (seen.images[i].id == id && shields[i]) return shields[i]->reason;
    }
    return std::nullopt;
  }

  testing::ManualClock clock;
  testing::FakeNode world;
  FakeRuntime runtime{world};
  testing::FakeDisk disk{world};
  testing::MemoryHistory history;
  testing::CollectedLog log;
};

class ObserveOnEveryRuntime : public ::testing::TestWithParam<testing::Profile> {};

TEST_P(ObserveOnEveryRuntime, UsedImagesAndTheSandboxImageAreProtectedByWhateverThatRuntimeTells) {
  Node node(GetParam());
  const auto pause = node.world.AddImage("registry.k8s.io/pause:3.9", {10});
  const auto app = node.world.AddImage("registry.example/app:1", {100});
  const auto idle = node.world.AddImage("registry.example/idle:1", {100});
  node.world.SetSandboxImage("registry.k8s.io/pause:3.9");
  node.world.AddContainer("registry.example/app:1", image::ContainerState::kExited);
  const auto seen = node.Observe();
  EXPECT_TRUE(seen.doubts.empty()) << seen.doubts.front();
  EXPECT_EQ(node.ReasonOf(seen, pause), Reason::kSandbox);
  EXPECT_EQ(node.ReasonOf(seen, app), Reason::kInUse);
  EXPECT_EQ(node.ReasonOf(seen, idle), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, ObserveOnEveryRuntime, ::testing::ValuesIn(testing::AllProfiles()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(Observe, ARuntimeThatDoesNotAnswerIsAnErrorThatSaysSo) {
  for (const Method method : {Method::kIdentify, Method::kList, Method::kStorage}) {
    Node node;
    node.runtime.Fail(method, {base::ErrorCode::kUnavailable, "refused"});
    const auto seen = Observe(node.ports(), {});
    ASSERT_FALSE(seen.ok());
    EXPECT_EQ(seen.error().code, base::ErrorCode::kUnavailable);
    EXPECT_NE(seen.error().message.find("refused"), std::string::npos);
  }
}

TEST(Observe, KD9VolumesThatCannotBeReadAreADoubtAndNotTheEndOfEverything) {
  Node node(testing::Containerd21());
  node.world.AddImage("registry.example/app:1", {100});
  node.world.AddContainer("registry.example/app:1");
  node.runtime.Fail(Method::kVolumesOf, {base::ErrorCode::kInternal, "broken"});
  const auto seen = node.Observe();
  ASSERT_EQ(seen.doubts.size(), 1U);
  EXPECT_NE(seen.doubts[0].find("broken"), std::string::npos);
}

TEST(Observe, ASandboxImageThatCannotBeLookedUpIsADoubt) {
  Node node;
  node.world.SetSandboxImage("registry.k8s.io/pause:3.9");
  node.runtime.Fail(Method::kResolve, {base::ErrorCode::kInternal, "broken"});
  EXPECT_EQ(node.Observe().doubts.size(), 1U);
}

TEST(Observe, TheSandboxImageOfTheConfigurationIsProtectedInAnySpelling) {
  Node node(testing::Containerd21());
  const auto infra = node.world.AddImage("docker.io/rancher/infra:3.6", {10});
  const auto seen = node.Observe({.sandbox_images = {"index.docker.io/rancher/infra:3.6"}});
  EXPECT_EQ(node.ReasonOf(seen, infra), Reason::kSandbox);
}

TEST(Observe, ImagesOfExistingSandboxesAreProtectedWhateverTheConfigurationSays) {
  Node node(testing::Containerd17());
  const auto old = node.world.AddImage("registry.example/infra:old", {10});
  node.world.AddImage("registry.example/infra:new", {10});
  node.world.SetSandboxImage("registry.example/infra:new");
  node.world.AddSandbox("registry.example/infra:old");
  EXPECT_EQ(node.ReasonOf(node.Observe(), old), Reason::kSandbox);
}

TEST(Observe, OurOwnImageIsFoundByOurContainer) {
  Node node;
  const auto ours = node.world.AddImage("registry.example/ebb:1", {10});
  const auto container = node.world.AddContainer("registry.example/ebb:1");
  EXPECT_EQ(node.ReasonOf(node.Observe({.own_container = container}), ours), Reason::kSelf);
}

TEST(Observe, FactsThatNeverChangeAreAskedOnce) {
  Node node(testing::Containerd21());
  node.world.AddImage("registry.example/app:1", {100});
  node.world.AddContainer("registry.example/app:1");
  (void)node.Observe();
  (void)node.Observe();
  EXPECT_EQ(node.runtime.calls(Method::kLayersOf), 1);
  EXPECT_EQ(node.runtime.calls(Method::kVolumesOf), 1);
}

TEST(Observe, WhatWasSeenIsRemembered) {
  Node node;
  node.world.AddImage("registry.example/app:1", {100});
  (void)node.Observe();
  EXPECT_EQ(node.history.records.size(), 1U);
}

TEST(Observe, AgeSurvivesARestartBecauseHistoryDoes) {
  Node node;
  node.world.AddImage("registry.example/app:1", {100});
  const auto first = node.Observe().taken_at;
  node.clock.Advance(std::chrono::hours(30));
  EXPECT_EQ(node.Observe().images.at(0).usage.first_seen, first);
}

TEST(Observe, WithoutHistoryItWorksAndSaysWhatItCannotKnow) {
  Node node;
  node.world.AddImage("registry.example/app:1", {100});
  Ports ports = node.ports();
  ports.history = nullptr;
  const auto seen = Observe(ports, {});
  ASSERT_TRUE(seen.ok());
  EXPECT_EQ(seen->images.at(0).usage.first_seen, seen->taken_at);
  EXPECT_NE(seen->warnings.at(0).find("no usage history"), std::string::npos);
}

TEST(Observe, AHistoryThatCannotBeWrittenIsAWarning) {
  Node node;
  node.world.AddImage("registry.example/app:1", {100});
  node.history.fail_writes = base::Error{base::ErrorCode::kInternal, "disk full"};
  const auto seen = node.Observe();
  ASSERT_FALSE(seen.warnings.empty());
  EXPECT_NE(seen.warnings[0].find("disk full"), std::string::npos);
}

TEST(Observe, AHistoryThatCouldNotBeReadOnceLosesNothing) {
  Node node;
  node.world.AddImage("registry.example/app:1", {100});
  const auto first = node.Observe().taken_at;
  node.clock.Advance(std::chrono::hours(30));
  node.history.fail_reads = base::Error{base::ErrorCode::kInternal, "input/output error"};
  EXPECT_EQ(node.Observe().images.at(0).usage.first_seen, first + std::chrono::hours(30));
  node.history.fail_reads.reset();
  EXPECT_EQ(node.Observe().images.at(0).usage.first_seen, first);
}

TEST(Observe, ImagesThatNoContainerKnowsAreInDoubtWhereAnotherEndpointListsThem) {
  Node node;
  node.world.AddImage("registry.example/app:1", {100});
  node.world.AddImage("registry.example/used:1", {100});
  node.world.AddContainer("registry.example/used:1");
  EXPECT_TRUE(node.Observe({.image_endpoint = "unix:///run/other.sock"}).doubts.empty());
  (void)node.world.RemoveImage("registry.example/used:1");
  const auto apart = node.Observe({.image_endpoint = "unix:///run/other.sock"});
  ASSERT_FALSE(apart.doubts.empty());
  EXPECT_NE(apart.doubts[0].find("/run/other.sock"), std::string::npos);
}

TEST(Observe, PathsOnOneDeviceAreOneFilesystem) {
  Node node(testing::CriO136());
  const auto seen = node.Observe();
  ASSERT_EQ(seen.filesystems.size(), 1U);
  EXPECT_TRUE(seen.filesystems[0].holds_images);
  EXPECT_TRUE(seen.filesystems[0].holds_containers);
}

TEST(Observe, AFilesystemThatCannotBeMeasuredIsKeptWithItsProblem) {
  Node node;
  node.disk.after_measure = [](image::Filesystem& fs) { fs.problem = "did not answer within 2s"; };
  const auto seen = node.Observe();
  EXPECT_FALSE(seen.filesystems.at(0).measured());
  EXPECT_TRUE(std::ranges::any_of(seen.warnings, [](const std::string& warning) {
    return warning.find("did not answer") != std::string::npos;
  }));
}

TEST(Observe, TellsHowFastTheDiskFillsAsItWasRecorded) {
  Node node;
  node.world.SetDisk({1'000'000}, {100'000});
  EXPECT_FALSE(node.Observe().filesystems.at(0).bytes_per_second);
  for (int minute = 0; minute < 5; ++minute) {
    const auto seen = node.Observe();
    ASSERT_TRUE(node.history.SaveSample(seen.filesystems.at(0), seen.taken_at).ok());
    node.clock.Advance(std::chrono::minutes(1));
    node.world.SetDisk({1'000'000}, {100'000 + 600 * (minute + 1)});
  }
  EXPECT_NEAR(node.Observe().filesystems.at(0).bytes_per_second.value_or(0), 10, 0.1);
}

TEST(Observe, UnconfiguredKnowledgeSourcesAreNamed) {
  Node node;
  EXPECT_EQ(node.Observe().not_checked, (std::vector<std::string>{"pods", "pulls"}));
}

TEST(Observe, AContainerThatAnEventToldOfCountsAsAUseUnlessItIsListedAnyway) {
  Node node;
  const auto job = node.world.AddImage("registry.example/job:1", {100});
  (void)node.Observe();
  node.clock.Advance(std::chrono::minutes(5));
  const auto seen = node.Observe({.told = {{.id = "gone",
                                            .created_at = node.clock.Now(),
                                            .image_name = "registry.example/job:1"}}});
  ASSERT_EQ(seen.passed.size(), 1U);
  EXPECT_EQ(seen.images[0].usage.last_used, node.clock.Now());
  const auto there = node.world.AddContainer("registry.example/job:1");
  const auto listed = node.Observe({.told = {{.id = there, .created_at = node.clock.Now()}}});
  EXPECT_TRUE(listed.passed.empty());
}

TEST(Observe, TheKubeletsDirectoryIsMeasuredWhereItIsAskedFor) {
  Node node;
  const auto seen = node.Observe({.node_path = node.world.Storage().front().mountpoint});
  ASSERT_EQ(seen.filesystems.size(), 1U);
  EXPECT_TRUE(seen.filesystems[0].holds_node) << "the kubelet's layout single";
  EXPECT_FALSE(node.Observe().filesystems[0].holds_node);
}

}  // namespace
}  // namespace ebb::engine
