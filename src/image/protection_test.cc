#include "image/protection.h"

#include <gtest/gtest.h>

#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::World;

std::optional<Reason> ReasonOf(const Observation& seen, std::size_t image,
                               const Policy& policy = {}) {
  const auto shield = Protect(seen, policy).shields.at(image);
  return shield ? std::optional(shield->reason) : std::nullopt;
}

class ByState : public ::testing::TestWithParam<ContainerState> {};

TEST_P(ByState, AnImageOfAContainerInAnyStateIsInUse) {
  const auto seen = World().Image("a").Container("a", GetParam()).Build();
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kInUse);
}

INSTANTIATE_TEST_SUITE_P(Protection, ByState,
                         ::testing::Values(ContainerState::kCreated, ContainerState::kRunning,
                                           ContainerState::kExited, ContainerState::kUnknown));

TEST(Protection, AContainerIsMatchedByImageIdThenReferenceThenName) {
  auto seen = World().Image("a").Container("a").Build();
  Container& container = seen.containers[0];
  container = {
      .id = "c", .image_id = World::IdOf("a"), .image_ref = "x@sha256:f", .image_name = "x"};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kInUse) << "by image_id";
  container = {.id = "c", .image_ref = "a"};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kInUse) << "by ID without its algorithm";
  container = {.id = "c", .image_ref = seen.images[0].digests[0], .image_name = "gone:1"};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kInUse) << "by digest in image_ref, as CRI-O has it";
  container = {.id = "c", .image_name = World::TagOf("a")};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kInUse) << "by tag";
  container = {.id = "c", .image_name = "somebody.else/b:1"};
  EXPECT_EQ(ReasonOf(seen, 0), std::nullopt);
}

TEST(Protection, WhatIsGuardedStays) {
  auto seen = World().Image("a").Image("b").Build();
  seen.guarded = {{{World::IdOf("a")}, "a:1", GuardReason::kAdded, "a:1"}};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kGuarded);
  EXPECT_EQ(ReasonOf(seen, 1), std::nullopt);
}

TEST(Protection, AContainerThatSaysNothingAboutItsImageIsADoubtAboutAll) {
  auto seen = World().Image("a").Build();
  seen.containers.push_back({.id = "mute"});
  const auto protection = Protect(seen, {});
  ASSERT_EQ(protection.doubts.size(), 1U);
  EXPECT_NE(protection.doubts[0].find("mute"), std::string::npos);
}

TEST(Protection, KD10AnImageMountedAsAVolumeIsKeptHoweverItWasPulled) {
  auto seen = World().Image("a").Image("v").Container("a").Build();
  for (const std::string& form :
       {World::IdOf("v"), World::TagOf("v"), seen.images[1].digests[0], std::string("v")}) {
    seen.containers[0].volume_images = {form};
    EXPECT_EQ(ReasonOf(seen, 1), Reason::kImageVolume) << form;
  }
}

TEST(Protection, TheSandboxImageStaysWithAndWithoutSandboxes) {
  EXPECT_EQ(ReasonOf(World().Image("infra").SandboxImage("infra").Build(), 0), Reason::kSandbox);
}

TEST(Protection, WhereTheRuntimeDoesNotTellItsSandboxImageANameThatSaysPauseIsEnough) {
  auto seen = World().Image("mirrored-pause").Image("app").Build();
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kSandbox);
  EXPECT_EQ(ReasonOf(seen, 1), std::nullopt);
  seen.sandbox_images = {{.name = "x", .source = "sandbox 1", .id = {"sha256:x"}}};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kSandbox) << "the next sandbox may use another image";
  seen.sandbox_images[0].source = "configuration";
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kSandbox)
      << "what we were told is not what the runtime does";
  seen.sandbox_images[0].source = "runtime configuration";
  EXPECT_EQ(ReasonOf(seen, 0), std::nullopt) << "an old pause image nobody uses any more";
}

TEST(Protection, OurOwnImageAndPinnedImagesStay) {
  auto seen = World().Image("ebb").Image("p", {.pinned = true}).Build();
  seen.own_image = {World::IdOf("ebb")};
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kSelf);
  EXPECT_EQ(ReasonOf(seen, 1), Reason::kPinned);
}

TEST(Protection, KD16AnyPinnedEntryOfAnIdPinsTheImage) {
  std::vector<Image> listed = {{.id = {"a"}, .pinned = true}, {.id = {"a"}, .pinned = false}};
  EXPECT_TRUE(MergeById(listed).at(0).pinned);
  std::swap(listed[0], listed[1]);
  EXPECT_TRUE(MergeById(listed).at(0).pinned);
}

TEST(Images, ListedForSeveralRuntimeHandlersAreOneImageThatAllOfThemHave) {
  std::vector<Image> listed(3);
  for (Image& image : listed) image.id = {"sha256:a"};
  listed[0].handlers = {"kata"};
  listed[1].handlers = {"gvisor"};
  listed[2].handlers = {"kata"};
  const auto merged = MergeById(listed);
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].handlers, (std::vector<std::string>{"kata", "gvisor"}));
}

TEST(Protection, ARuleOfTheOperatorProtectsAndIsNamed) {
  Policy policy;
  policy.protect.push_back(*Pattern::Parse("registry.example/a"));
  const auto seen = World().Image("a").Image("b").Build();
  const auto shields = Protect(seen, policy).shields;
  ASSERT_TRUE(shields[0].has_value());
  EXPECT_EQ(shields[0]->reason, Reason::kProtectRule);
  EXPECT_NE(shields[0]->detail.find("registry.example/a"), std::string::npos);
  EXPECT_FALSE(shields[1].has_value());
}

TEST(Protection, APatternThatMatchesNothingIsReported) {
  Policy policy;
  policy.protect.push_back(*Pattern::Parse("registry.example/a"));
  policy.protect.push_back(*Pattern::Parse("registry.exmaple/a"));
  EXPECT_EQ(IdlePatterns(World().Image("a").Build(), policy),
            std::vector<std::string>{"registry.exmaple/a"});
}

TEST(Protection, KI20AnAgeEqualToTheMinimumIsOldEnough) {
  const auto seen_for = [](base::Duration age) {
    return ReasonOf(World().Image("a", {.seen_ago = age}).Build(), 0);
  };
  EXPECT_EQ(seen_for(seconds(119)), Reason::kTooYoung);
  EXPECT_EQ(seen_for(seconds(120)), std::nullopt);
}

TEST(Protection, KD2TheMinimumAgeAlsoCountsFromTheLastUse) {
  const auto used = [](base::Duration age) {
    return ReasonOf(World().Image("a", {.used_ago = age}).Build(), 0);
  };
  EXPECT_EQ(used(minutes(9)), Reason::kTooYoung);
  EXPECT_EQ(used(minutes(10)), std::nullopt);
}

TEST(Protection, AnImageWithoutAnIdCannotBeRemovedAndIsNotTried) {
  auto seen = World().Image("a").Build();
  seen.images[0].id.value.clear();
  EXPECT_EQ(ReasonOf(seen, 0), Reason::kUnresolved);
}

TEST(Reason, EveryReasonHasACodeAMeaningAndATier) {
  for (const Reason reason : AllReasons()) {
    EXPECT_FALSE(Code(reason).empty());
    EXPECT_FALSE(Meaning(reason).empty());
    EXPECT_FALSE(Code(TierOf(reason)).empty());
  }
  EXPECT_EQ(static_cast<std::size_t>(Reason::kTooMany) + 1, AllReasons().size());
}

}  // namespace
}  // namespace ebb::image
