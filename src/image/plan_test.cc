// The kubelet's own scenarios (KI...: books' I1-I23) and its defects (KD...: D1-D20), as ours
// should answer them. Where ours differs on purpose the test says so.
#include "image/plan.h"

#include <gtest/gtest.h>

#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::World;
using Words = std::vector<std::string>;

constexpr base::Bytes kImage{100};

Words Removed(const Observation& seen, const Plan& plan) {
  Words words;
  for (std::size_t v = 0; v < plan.removals; ++v) {
    words.push_back(seen.images[plan.verdicts[v].image].id.value.substr(7));
  }
  return words;
}

Words Removed(const World& world, const Target& target, const Policy& policy = {}) {
  const Observation seen = world.Build();
  return Removed(seen, Decide(seen, policy, target));
}

Reason ReasonOf(const Observation& seen, const Plan& plan, std::string_view word) {
  for (const Verdict& verdict : plan.verdicts) {
    if (seen.images[verdict.image].id.value == World::IdOf(word)) return verdict.reason;
  }
  ADD_FAILURE() << word << " is not in the plan";
  return Reason::kInDoubt;
}

Target Free(std::int64_t bytes) {
  return {.kind = Target::Kind::kFreeBytes, .bytes = {bytes}};
}
Target AllUnused() {
  return {.kind = Target::Kind::kAllUnused};
}
Target UnusedFor(base::Duration age) {
  return {.kind = Target::Kind::kUnusedFor, .age = age};
}
Target ToMarks() {
  return {};
}

// 1000 bytes, so many per cent of them used.
World Disk(int used) {
  return World().Disk({1000}, {1000 - used * 10});
}

TEST(Plan, KI4APinnedSandboxImageSurvivesEvenAllUnused) {
  EXPECT_EQ(Removed(World().Image("pause", {.pinned = true}), AllUnused()), Words{});
}

TEST(Plan, KI5AnIdListedTwiceStaysIfAnyEntryIsPinned) {
  // The kubelet lets the last entry decide and removes it; ours keeps it on purpose.
  Observation seen = World().Image("a", {.pinned = true}).Image("a").Disk({1000}, {0}).Build();
  seen.images = MergeById(seen.images);
  seen.store = MakeReportedGraph(seen.images);
  EXPECT_EQ(Removed(seen, Decide(seen, {}, AllUnused())), Words{});
}

TEST(Plan, KI6PinnedImagesStayAndTheOthersGo) {
  EXPECT_EQ(Removed(World().Image("1", {.pinned = true}).Image("2"), AllUnused()), Words{"2"});
}

TEST(Plan, KI7UnpinnedImagesGo) {
  EXPECT_EQ(Removed(Disk(90).Image("1").Image("2"), Free(200)), (Words{"1", "2"}));
}

TEST(Plan, KI8WhenAllArePinnedNothingGoesAndNothingIsAnError) {
  const auto seen = Disk(90).Image("1", {.pinned = true}).Image("2", {.pinned = true}).Build();
  const Plan plan = Decide(seen, {}, Free(200));
  EXPECT_EQ(plan.removals, 0U);
  EXPECT_EQ(plan.conclusion, Conclusion::kNotReached);
}

TEST(Plan, KI11UsedImagesAreIgnored) {
  EXPECT_EQ(Removed(Disk(90).Image("0").Image("1").Container("1"), Free(100)), Words{"0"});
}

TEST(Plan, KI12AllUnusedMeansAllButTheUsed) {
  EXPECT_EQ(Removed(World().Image("0").Image("1").Image("2").Container("2"), AllUnused()),
            (Words{"0", "1"}));
}

TEST(Plan, KI13TheMinimumAgeHoldsForAllUnusedToo) {
  const World young = World().Image("0", {.seen_ago = minutes(1)});
  EXPECT_EQ(Removed(young, AllUnused()), Words{});
  EXPECT_EQ(Removed(young, AllUnused(), {.min_seen_age = minutes(1)}), Words{"0"});
}

TEST(Plan, KI14TheLeastRecentlyUsedGoesFirst) {
  const World world =
      Disk(90).Image("newer", {.used_ago = hours(1)}).Image("older", {.used_ago = hours(2)});
  EXPECT_EQ(Removed(world, Free(100)), Words{"older"});
}

TEST(Plan, KI15ANeverUsedImageCountsFromWhenItWasFirstSeen) {
  // The kubelet removes the never used one first, however new; ours compares signs of life.
  const World world = Disk(90)
                          .Image("used", {.seen_ago = hours(72), .used_ago = hours(48)})
                          .Image("unused", {.seen_ago = hours(1)});
  EXPECT_EQ(Removed(world, Free(100)), Words{"used"});
}

TEST(Plan, KI16BelowTheHighMarkNothingHappens) {
  const auto seen = Disk(81).Image("0").Build();
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.removals, 0U);
  EXPECT_EQ(plan.conclusion, Conclusion::kNothingToDo);
  EXPECT_EQ(ReasonOf(seen, plan, "0"), Reason::kNotNeeded);
}

TEST(Plan, KI17AFilesystemThatCannotBeMeasuredRemovesNothingAndSaysSo) {
  auto seen = Disk(99).Image("0").Build();
  seen.filesystems[0].problem = "did not answer within 2s";
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.removals, 0U);
  EXPECT_EQ(plan.conclusion, Conclusion::kInDoubt);
  EXPECT_FALSE(plan.notes.empty());
}

TEST(Plan, KI18AboveTheHighMarkItGoesDownToTheLowMarkAndNoFurther) {
  const auto seen = Disk(90).Image("0").Image("1").Image("2").Build();
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.need.count, 100);
  EXPECT_EQ(plan.removals, 1U);
  EXPECT_EQ(plan.conclusion, Conclusion::kReached);
  EXPECT_EQ(ReasonOf(seen, plan, "0"), Reason::kOverMark);
}

TEST(Plan, KI19AnUnreachableTargetIsSaidAndDoesNotEmptyTheNode) {
  // The kubelet would remove the image and fail all the same; promise P12 keeps what is not idle
  // for long and what no registry can replace.
  auto seen = Disk(95)
                  .Image("recent", {.size = {50}, .seen_ago = hours(1)})
                  .Image("old", {.size = {20}})
                  .Image("local", {.size = {20}})
                  .Build();
  seen.images[2].digests.clear();
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.conclusion, Conclusion::kNotReached);
  EXPECT_EQ(Removed(seen, plan), Words{"old"});
  EXPECT_EQ(ReasonOf(seen, plan, "recent"), Reason::kNotLongIdle);
  EXPECT_EQ(ReasonOf(seen, plan, "local"), Reason::kCannotComeBack);
  ASSERT_FALSE(plan.notes.empty());
  EXPECT_NE(plan.notes[0].find("something else fills the disk"), std::string::npos);
}

TEST(Plan, AnImageOfARegistryOnTheNodeItselfCannotComeBack) {
  auto seen = Disk(99).Image("a").Build();
  seen.images[0].digests = {"localhost:5000/a@sha256:f"};
  EXPECT_EQ(Removed(seen, Decide(seen, {}, ToMarks())), Words{});
}

TEST(Plan, KI20AgesAreComparedWithTheMinimumAndAnEmptyPlanNamesTheFlag) {
  const auto seen = Disk(90).Image("0", {.seen_ago = minutes(1)}).Build();
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.removals, 0U);
  ASSERT_FALSE(plan.notes.empty());
  EXPECT_NE(plan.notes.back().find("--min-age 0s"), std::string::npos);
}

TEST(Plan, KI21BeyondTheMaximumAgeImagesGoBelowTheMarkToo) {
  const Policy policy{.max_idle_age = hours(24)};
  const World world = Disk(10)
                          .Image("old", {.used_ago = hours(25)})
                          .Image("edge", {.used_ago = hours(24)})
                          .Image("live", {.used_ago = hours(30)})
                          .Container("live");
  EXPECT_EQ(Removed(world, ToMarks(), policy), Words{"old"});
}

TEST(Plan, KI22WithoutAMaximumAgeNoAgeIsTooOld) {
  EXPECT_EQ(Removed(Disk(10).Image("a", {.seen_ago = hours(24 * 3650)}), ToMarks()), Words{});
}

TEST(Plan, KD1ANeverUsedImageIsNotOlderThanItsStay) {
  const Policy policy{.max_idle_age = hours(24)};
  EXPECT_EQ(Removed(Disk(10).Image("new", {.seen_ago = hours(1)}), ToMarks(), policy), Words{});
}

TEST(Plan, KD4SharedLayersAreCountedOnce) {
  const World world = Disk(99)
                          .Image("base", {.size = {80}, .layers = {"b"}, .used_ago = hours(9)})
                          .Image("a", {.size = {90}, .layers = {"b", "a"}, .used_ago = hours(8)})
                          .Image("b", {.size = {95}, .layers = {"b", "c"}, .used_ago = hours(1)})
                          .Container("b");
  const auto seen = world.Build();
  const Plan plan = Decide(seen, {}, AllUnused());
  EXPECT_EQ(plan.predicted.count, 10) << "the base stays with the image in use";
}

TEST(Plan, AnImageThatFreesNothingIsNotRemovedForSpace) {
  const World world = Disk(90)
                          .Image("base", {.size = {80}, .layers = {"x"}, .used_ago = hours(9)})
                          .Image("top", {.size = {90}, .layers = {"x", "y"}, .used_ago = hours(1)})
                          .Image("big", {.size = {150}, .layers = {"z"}, .used_ago = hours(2)})
                          .Container("top");
  EXPECT_EQ(Removed(world, Free(100)), Words{"big"});
}

TEST(Plan, KD8AgedImagesAndTheMarkAreServedByOnePlan) {
  const Policy policy{.max_idle_age = hours(24)};
  const World world = Disk(92)
                          .Image("aged", {.size = {20}, .used_ago = hours(30)})
                          .Image("idle", {.used_ago = hours(20)})
                          .Image("recent", {.used_ago = hours(10)});
  const auto seen = world.Build();
  const Plan plan = Decide(seen, policy, ToMarks());
  EXPECT_EQ(Removed(seen, plan), (Words{"aged", "idle"}));
  EXPECT_EQ(ReasonOf(seen, plan, "aged"), Reason::kUnusedFor);
  EXPECT_EQ(ReasonOf(seen, plan, "idle"), Reason::kOverMark);
}

TEST(Plan, KD14EveryImageFilesystemIsLookedAt) {
  const auto seen = Disk(10).Disk({1000}, {50}).Image("a").Image("b", {.size = {500}}).Build();
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.filesystem, 1);
  EXPECT_EQ(plan.need.count, 150);
}

TEST(Plan, KD18AgeDoesNotStartAnewWithTheProgram) {
  // Nothing here knows when the program started: age is from history alone.
  EXPECT_EQ(Removed(World().Image("a", {.used_ago = hours(25)}), UnusedFor(hours(24))), Words{"a"});
}

TEST(Plan, UnusedForIsStrict) {
  const World world =
      World().Image("a", {.used_ago = hours(24)}).Image("b", {.used_ago = hours(24) + minutes(1)});
  EXPECT_EQ(Removed(world, UnusedFor(hours(24))), Words{"b"});
}

TEST(Plan, ADoubtAboutTheWholeRemovesNothingWhateverIsAsked) {
  const auto seen = Disk(99).Image("a").Doubt("volumes could not be read").Build();
  for (const Target& target : {ToMarks(), AllUnused(), Free(10)}) {
    const Plan plan = Decide(seen, {}, target);
    EXPECT_EQ(plan.removals, 0U);
    EXPECT_EQ(plan.conclusion, Conclusion::kInDoubt);
    EXPECT_EQ(ReasonOf(seen, plan, "a"), Reason::kInDoubt);
    EXPECT_NE(plan.notes.at(0).find("volumes could not be read"), std::string::npos);
  }
}

TEST(Plan, CapacityZeroAndMoreAvailableThanThereIsAreHarmless) {
  EXPECT_EQ(Removed(World().Disk({0}, {0}).Image("a"), ToMarks()), Words{});
  EXPECT_EQ(Removed(World().Disk({1000}, {2000}).Image("a"), ToMarks()), Words{});
}

TEST(Plan, ToAPercentOfTheDiskIgnoresTheMarks) {
  EXPECT_EQ(Removed(Disk(50).Image("a").Image("b"),
                    {.kind = Target::Kind::kUsedPercent, .percent = {40}}),
            Words{"a"});
}

TEST(Plan, FullTiesAreBrokenById) {
  EXPECT_EQ(Removed(Disk(90).Image("b").Image("a").Image("c"), Free(200)), (Words{"a", "b"}));
}

TEST(Plan, TheBlastRadiusNamesTheFlagToRaise) {
  const auto seen = Disk(90).Image("a", {.size = kImage}).Image("b").Image("c").Build();
  const Plan plan = Decide(seen, {}, AllUnused());
  EXPECT_NE(BeyondRadius(plan, seen, {.max_images = 2}).find("--max-images"), std::string::npos);
  EXPECT_NE(BeyondRadius(plan, seen, {}).find("--max-percent"), std::string::npos);
  EXPECT_NE(BeyondRadius(plan, seen, {.max_percent = {100}, .max_bytes = base::Bytes{299}})
                .find("--max-bytes"),
            std::string::npos);
  EXPECT_EQ(BeyondRadius(plan, seen, {.max_images = 3, .max_percent = {100}}), "");
}

TEST(Plan, EstimatedBytesHaveAReserveThatStaysWithinTheRadius) {
  const auto seen = Disk(90).Image("a").Image("b").Image("c").Image("d").Build();
  const Plan plan = Decide(seen, {}, ToMarks());
  EXPECT_EQ(plan.removals, 1U);
  EXPECT_EQ(plan.reserve, 3U);
  EXPECT_EQ(RemovalLimit(plan, seen, {}), 2U) << "50 % of 4";
  EXPECT_EQ(RemovalLimit(plan, seen, {.max_images = 3, .max_percent = {100}}), 3U);
  EXPECT_EQ(RemovalLimit(plan, seen, {.max_percent = {100}, .max_bytes = base::Bytes{250}}), 2U);
  EXPECT_EQ(Decide(seen, {}, AllUnused()).reserve, 0U);
}

}  // namespace
}  // namespace ebb::image
