#include "testing/fake_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/builders.h"
#include "testing/manual_clock.h"
#include "testing/memory_history.h"
#include "testing/temp_dir.h"

namespace ebb::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Method = FakeRuntime::Method;

struct Rig {
  explicit Rig(Profile profile) : node(std::move(profile), clock) {}

  engine::RemovalResult RemoveOne(const image::ImageId& id) {
    const engine::Victim victim{id};
    return runtime.Remove(std::span(&victim, 1)).front();
  }
  image::Outcome Remove(const image::ImageId& id) { return RemoveOne(id).outcome; }

  ManualClock clock;
  FakeNode node;
  FakeRuntime runtime{node};
  FakeDisk disk{node};
};

TEST(FakeNode, CountsSharedLayersOnDiskOnce) {
  Rig s(CriO136());
  s.node.SetDisk({1000});
  s.node.AddImage({.name = "a.example/a:1", .layers = {{"base", {100}}, {"a", {10}}}});
  s.node.AddImage({.name = "a.example/b:1", .layers = {{"base", {100}}, {"b", {20}}}});
  EXPECT_EQ(s.node.Available(), base::Bytes{1000 - 130});
}

TEST(FakeNode, RemovingAnImageFreesOnlyWhatNobodyElseHolds) {
  Rig s(CriO136());
  s.node.SetDisk({1000});
  const auto a =
      s.node.AddImage({.name = "a.example/a:1", .layers = {{"base", {100}}, {"a", {10}}}});
  s.node.AddImage({.name = "a.example/b:1", .layers = {{"base", {100}}, {"b", {20}}}});
  EXPECT_EQ(s.Remove(a), image::Outcome::kRemoved);
  EXPECT_EQ(s.node.Available(), base::Bytes{1000 - 120});
}

TEST(FakeNode, ContainerdRemovesAnImageInUseButItsSnapshotsStayUntilTheContainerGoes) {
  Rig s(Containerd17());
  s.node.SetDisk({1000});
  const auto a = s.node.AddImage("a.example/a:1", {100});
  const std::string container = s.node.AddContainer(a.value, image::ContainerState::kExited);
  EXPECT_EQ(s.node.Available(), base::Bytes{700});
  EXPECT_EQ(s.Remove(a), image::Outcome::kRemoved);
  EXPECT_FALSE(s.node.Has(a));
  EXPECT_EQ(s.node.Available(), base::Bytes{800});
  s.node.RemoveContainer(container);
  EXPECT_EQ(s.node.Available(), base::Bytes{1000});
}

TEST(FakeNode, CriORefusesAnImageInUseInItsOwnWords) {
  Rig s(CriO136());
  const auto a = s.node.AddImage("a.example/a:1", {100});
  s.node.AddContainer(a.value, image::ContainerState::kExited);
  const auto result = s.RemoveOne(a);
  EXPECT_EQ(result.outcome, image::Outcome::kHeld);
  EXPECT_THAT(result.detail, HasSubstr("image is in use by a container"));
  EXPECT_TRUE(s.node.Has(a));
}

TEST(FakeNode, CriORefusesAMountedImageAndTheImageOfASandbox) {
  Rig s(CriO136());
  const auto a = s.node.AddImage("a.example/a:1", {100});
  const auto volume = s.node.AddImage("a.example/data:1", {100});
  const auto pause = s.node.AddImage("a.example/pause:3", {1});
  s.node.AddContainer({.image = a.value, .volumes = {"a.example/data:1"}});
  s.node.AddSandbox(pause.value);
  EXPECT_EQ(s.Remove(volume), image::Outcome::kHeld);
  EXPECT_EQ(s.Remove(pause), image::Outcome::kHeld);
}

TEST(FakeNode, DockerTellsRunningFromStopped) {
  Rig s(CriDockerd());
  const auto a = s.node.AddImage("a.example/a:1", {100});
  const std::string container = s.node.AddContainer(a.value);
  EXPECT_THAT(s.RemoveOne(a).detail,
              HasSubstr("(cannot be forced) - image is being used by running container"));
  s.node.SetState(container, image::ContainerState::kExited);
  EXPECT_THAT(s.RemoveOne(a).detail,
              HasSubstr("(must be forced) - image is being used by stopped container"));
}

TEST(FakeNode, EachRuntimeUnderstandsATagInItsOwnWay) {
  for (const auto& [profile, by_tag] :
       {std::pair{Containerd17(), "gone"}, std::pair{CriO136(), "untagged"},
        std::pair{CriDockerd(), "untouched"}}) {
    Rig s(profile);
    const auto a = s.node.AddImage("a.example/a:1", {100});
    s.node.Tag(a, "a.example/a:latest");
    EXPECT_TRUE(s.node.RemoveImage("a.example/a:1").ok());
    const auto left = s.node.FindImage(a.value);
    const std::string outcome = !left ? "gone" : left->tags.size() == 1 ? "untagged" : "untouched";
    EXPECT_EQ(outcome, by_tag) << profile.name;
  }
}

TEST(FakeNode, LateBytesComeBackWhenTheClockSaysSo) {
  Rig s(Containerd203());
  s.node.SetDisk({1000});
  const auto a = s.node.AddImage("a.example/a:1", {100});
  EXPECT_EQ(s.Remove(a), image::Outcome::kRemoved);
  EXPECT_EQ(s.node.Available(), base::Bytes{700});
  s.clock.Advance(std::chrono::seconds(3));
  EXPECT_EQ(s.node.Available(), base::Bytes{1000});
}

TEST(FakeNode, FillToReachesTheAskedPercent) {
  Rig s(Containerd17());
  s.node.SetDisk({10'000});
  s.node.AddImage("a.example/a:1", {100});
  s.node.FillTo(base::Percent{91});
  const image::Filesystem fs = s.disk.Measure(s.node.profile().images_path);
  EXPECT_EQ(image::UsedPercent(fs), base::Percent{91});
}

TEST(FakeNode, ProfilesShowTheImageOfAContainerAsTheirRuntimeDoes) {
  Rig containerd(Containerd16());
  const auto id = containerd.node.AddImage("a.example/a:1", {100});
  containerd.node.AddContainer("a.example/a:1");
  const auto seen = containerd.node.ListContainers().front();
  EXPECT_EQ(seen.image_ref, id.value);
  EXPECT_EQ(seen.image_id, "");

  Rig crio(CriO128());
  const auto bare = crio.node.AddImage("a.example/a:1", {100});
  crio.node.AddContainer("a.example/a:1");
  EXPECT_EQ(bare.value.size(), 64);
  EXPECT_THAT(crio.node.ListContainers().front().image_ref, HasSubstr("a.example/a@sha256:"));
}

TEST(FakeNode, CriOForgetsThePinOfAnImageWithoutNames) {
  Rig s(CriO136());
  const auto a = s.node.AddImage("a.example/a:1", {100});
  s.node.Pin(a);
  EXPECT_TRUE(s.node.FindImage(a.value)->pinned);
  s.node.DropNames(a);
  EXPECT_FALSE(s.node.FindImage(a.value)->pinned);
}

TEST(FakeNode, AnImageListedTwiceIsPinnedOnce) {
  Rig s(Containerd17());
  const auto a = s.node.AddImage("a.example/a:1", {100});
  s.node.Pin(a);
  s.node.ListTwice(a);
  const auto listed = s.node.ListImages();
  ASSERT_EQ(listed.size(), 2);
  EXPECT_TRUE(listed[0].pinned);
  EXPECT_FALSE(listed[1].pinned);
}

TEST(FakeNode, HooksMayChangeTheWorldBetweenCheckAndRemoval) {
  Rig s(CriO136());
  const auto a = s.node.AddImage("a.example/a:1", {100});
  s.node.before_remove = [&](const std::string& asked) { s.node.AddContainer(asked); };
  EXPECT_EQ(s.Remove(a), image::Outcome::kHeld);

  int lists = 0;
  s.node.after_list = [&] { ++lists; };
  EXPECT_TRUE(s.runtime.List().ok());
  EXPECT_EQ(lists, 1);
}

TEST(FakeNode, RemembersWhatItWasAskedToRemove) {
  Rig s(Containerd17());
  EXPECT_EQ(s.Remove({"sha256:absent"}), image::Outcome::kRemoved);
  EXPECT_THAT(s.node.asked(), ElementsAre("sha256:absent"));
}

TEST(FakeRuntime, MisbehavesOnDemand) {
  Rig s(Containerd17());
  const auto stubborn = s.node.AddImage("a.example/a:1", {100});
  const auto liar = s.node.AddImage("a.example/b:1", {100});
  s.node.Refuse(stubborn, {base::ErrorCode::kInternal, "input/output error"});
  s.node.Ignore(liar);
  EXPECT_EQ(s.Remove(stubborn), image::Outcome::kFailed);
  EXPECT_EQ(s.Remove(liar), image::Outcome::kRemoved);
  EXPECT_TRUE(s.node.Has(stubborn));
  EXPECT_TRUE(s.node.Has(liar));
}

TEST(FakeRuntime, FailsExactlyAsOftenAsAsked) {
  Rig s(Containerd17());
  s.runtime.Fail(Method::kList, {base::ErrorCode::kUnavailable, "refused"}, 2);
  EXPECT_FALSE(s.runtime.List().ok());
  EXPECT_FALSE(s.runtime.List().ok());
  EXPECT_TRUE(s.runtime.List().ok());
  EXPECT_EQ(s.runtime.calls(Method::kList), 3);
}

TEST(FakeRuntime, GoesAwayHalfWay) {
  Rig s(Containerd17());
  const std::vector<engine::Victim> victims = {{s.node.AddImage("a.example/a:1", {1})},
                                               {s.node.AddImage("a.example/b:1", {1})}};
  s.node.DieAfter(1);
  const auto results = s.runtime.Remove(victims);
  EXPECT_EQ(results[0].outcome, image::Outcome::kRemoved);
  EXPECT_EQ(results[1].outcome, image::Outcome::kFailed);
  const auto listed = s.runtime.List();
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().code, base::ErrorCode::kUnavailable);
  s.node.Revive();
  EXPECT_TRUE(s.runtime.List().ok());
}

TEST(FakeDisk, KnowsNoOtherPaths) {
  Rig s(Containerd17());
  EXPECT_FALSE(s.disk.Measure("/elsewhere").problem.empty());
  s.disk.after_measure = [](image::Filesystem& fs) { fs.capacity = {}; };
  EXPECT_FALSE(s.disk.Measure(s.node.profile().images_path).measured());
}

TEST(World, BuildsAnObservationInOneLine) {
  const image::Observation seen =
      World().Image("a", {.size = {10}}).Image("b").Container("a").Disk({1000}, {100}).Build();
  EXPECT_EQ(seen.images.size(), 2);
  EXPECT_EQ(seen.containers.front().image_ref, seen.images.front().id.value);
  EXPECT_EQ(seen.store.Total(), base::Bytes{110});
}

TEST(MemoryHistory, RemembersABatchThatNeverFinished) {
  MemoryHistory history;
  const auto first = history.Begin({.run = 1, .ids = {{"sha256:a"}}});
  ASSERT_TRUE(history.Begin({.run = 1, .ids = {{"sha256:b"}}}).ok());
  ASSERT_TRUE(history.Finish(*first, {}).ok());
  const auto unfinished = history.Unfinished();
  ASSERT_EQ(unfinished->size(), 1);
  EXPECT_EQ(unfinished->front().ids.front().value, "sha256:b");
  ASSERT_TRUE(history.Finish(unfinished->front().batch, {}).ok());
  EXPECT_THAT(*history.Unfinished(), IsEmpty());
}

TEST(MemoryHistory, ForgetsFactsAboutWhatIsGone) {
  MemoryHistory history;
  engine::Inventory seen;
  seen.images.push_back({.id = {"sha256:a"}});
  ASSERT_TRUE(
      history.SaveFacts({.fresh = {.layers = {{"sha256:a", {"x"}}, {"sha256:b", {"y"}}}}}, seen)
          .ok());
  EXPECT_EQ(history.facts.layers.size(), 1);
  ASSERT_TRUE(history.SaveFacts({}, {}).ok());
  EXPECT_THAT(history.facts.layers, IsEmpty());
}

TEST(TempDir, IsGoneWithItsContentsAtTheEnd) {
  std::filesystem::path path;
  {
    const TempDir dir;
    path = dir.path();
    std::filesystem::create_directories(dir / "a" / "b");
    ASSERT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace ebb::testing
