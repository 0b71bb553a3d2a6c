#include "image/demand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/plan.h"
#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const base::TimePoint kMidnight = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

Filesystem Disk(std::int64_t available) {
  return {.holds_images = true,
          .holds_containers = true,
          .mountpoint = "/var/lib/images",
          .capacity = {1000},
          .available = {available},
          .inodes = 1000,
          .inodes_free = 900};
}

std::vector<Trigger> Triggers(const std::vector<Demand>& demands) {
  std::vector<Trigger> triggers;
  triggers.reserve(demands.size());
  for (const Demand& demand : demands) triggers.push_back(demand.trigger);
  return triggers;
}

std::vector<Demand> Of(const Filesystem& disk, const Policy& policy,
                       const std::vector<Threshold>& due = {}, base::Bytes largest = {},
                       base::TimePoint now = kMidnight) {
  return DemandsOfDisk(std::vector{disk}, policy, due, largest, now);
}

TEST(Demand, NothingPressesBelowTheMark) {
  EXPECT_THAT(Of(Disk(500), {}), IsEmpty());
}

TEST(Demand, TheHighMarkPresses) {
  const auto demands = Of(Disk(100), {});
  ASSERT_EQ(demands.size(), 1U);
  EXPECT_EQ(demands[0].trigger, Trigger::kUsed);
  EXPECT_EQ(demands[0].target.kind, Target::Kind::kMarks);
  EXPECT_EQ(demands[0].why, "90% of /var/lib/images is used, the high mark is 82%");
}

TEST(Demand, KeepsItsNameWhileItsFiguresChangeAndHasAnotherBeyondTheCriticalMark) {
  const auto name = [](std::int64_t available) { return NameOf(Of(Disk(available), {}).at(0)); };
  EXPECT_EQ(name(180), "used /var/lib/images");
  EXPECT_EQ(name(180), name(170));
  EXPECT_NE(name(180), name(5));
  const Threshold hard{.signal = Signal::kImagefsAvailable, .value = {.percent = 60}};
  const Threshold soft{.signal = Signal::kImagefsAvailable, .value = {.percent = 70}};
  const auto both = Of(Disk(500), {}, {hard, soft});
  EXPECT_NE(NameOf(both.at(0)), NameOf(both.at(1)));
}

TEST(Demand, AThresholdAsksForItsValueAndTheMinimumToReclaim) {
  const Threshold hard{
      .signal = Signal::kImagefsAvailable, .value = {.percent = 60}, .reclaim = {.count = 50}};
  const auto demands = Of(Disk(500), {}, {hard});
  ASSERT_EQ(demands.size(), 1U);
  EXPECT_EQ(demands[0].trigger, Trigger::kAvailable);
  EXPECT_EQ(demands[0].target.kind, Target::Kind::kAvailable);
  EXPECT_EQ(demands[0].target.bytes, base::Bytes{650});
}

TEST(Demand, InodesAreAskedForAsInodes) {
  const Threshold hard{.signal = Signal::kImagefsInodesFree, .value = {.count = 950}};
  const auto demands = Of(Disk(500), {}, {hard});
  ASSERT_EQ(demands.size(), 1U);
  EXPECT_EQ(demands[0].target.kind, Target::Kind::kInodes);
  EXPECT_EQ(demands[0].target.count, 950);
}

TEST(Demand, HardThresholdsComeBeforeTheMarkAndSoftOnesAfterIt) {
  const Threshold hard{.signal = Signal::kImagefsAvailable, .value = {.percent = 95}};
  const Threshold soft{
      .signal = Signal::kImagefsInodesFree, .value = {.count = 950}, .grace = minutes(1)};
  EXPECT_THAT(Triggers(Of(Disk(100), {}, {soft, hard})),
              ElementsAre(Trigger::kAvailable, Trigger::kUsed, Trigger::kInodes));
}

TEST(Demand, HeadroomKeepsRoomForTheNextPull) {
  Policy policy;
  policy.triggers.headroom = base::Bytes{600};
  const auto demands = Of(Disk(500), policy);
  ASSERT_EQ(demands.size(), 1U);
  EXPECT_EQ(demands[0].trigger, Trigger::kHeadroom);
  EXPECT_EQ(demands[0].target.bytes, base::Bytes{600});
}

TEST(Demand, AutomaticHeadroomIsTheLargestRecentPull) {
  Policy policy;
  policy.triggers.headroom = std::nullopt;
  EXPECT_THAT(Of(Disk(500), policy, {}, base::Bytes{400}), IsEmpty());
  EXPECT_THAT(Triggers(Of(Disk(500), policy, {}, base::Bytes{501})),
              ElementsAre(Trigger::kHeadroom));
}

TEST(Demand, TheLargestRecentPullIsOfTheLastWeek) {
  auto world = testing::World();
  world.Image("old", {.size = {900}, .seen_ago = hours(24 * 8)});
  world.Image("new", {.size = {300}, .seen_ago = hours(24 * 6)});
  EXPECT_EQ(LargestRecentPull(world.Build()), base::Bytes{300});
}

TEST(Demand, TheDailyWindowHasAMarkOfItsOwn) {
  Policy policy;
  policy.triggers.window = {.from = hours(22), .to = hours(2), .low = {40}};
  EXPECT_THAT(Of(Disk(500), policy, {}, {}, kMidnight + hours(12)), IsEmpty());
  const auto demands = Of(Disk(500), policy, {}, {}, kMidnight + hours(23));
  ASSERT_EQ(demands.size(), 1U);
  EXPECT_EQ(demands[0].target.percent, base::Percent{40});
  EXPECT_THAT(Of(Disk(600), policy, {}, {}, kMidnight), IsEmpty()) << "40% is what is wanted";
}

TEST(Demand, AWindowMayPassMidnightAndEndsBeforeItsEnd) {
  const DailyWindow night{.from = hours(22), .to = hours(2)};
  EXPECT_TRUE(Within(night, kMidnight + hours(22)));
  EXPECT_TRUE(Within(night, kMidnight + hours(1)));
  EXPECT_FALSE(Within(night, kMidnight + hours(2)));
  EXPECT_FALSE(Within(night, kMidnight + hours(21)));
  const DailyWindow day{.from = hours(8), .to = hours(9)};
  EXPECT_TRUE(Within(day, kMidnight + hours(8)));
  EXPECT_FALSE(Within(day, kMidnight + hours(9)));
}

// K-V6: what may be reclaimed depends on what lies on the filesystem that presses.
TEST(Demand, KV6ImagesHelpOnlyWhereImagesLie) {
  const Filesystem node{.holds_containers = true,
                        .holds_node = true,
                        .mountpoint = "/var/lib/kubelet",
                        .capacity = {1000},
                        .available = {10}};
  const Threshold hard{.signal = Signal::kNodefsAvailable, .value = {.percent = 10}};
  const auto split = DemandsOfDisk(std::vector{Disk(500), node}, {}, std::vector{hard}, {}, {});
  ASSERT_EQ(split.size(), 1U);
  EXPECT_FALSE(split[0].by_images);
  EXPECT_TRUE(split[0].by_containers);
  Filesystem single = Disk(10);
  single.holds_node = true;
  const auto all = DemandsOfDisk(std::vector{single}, {}, std::vector{hard}, {}, {});
  EXPECT_TRUE(all.front().by_images);
  EXPECT_TRUE(all.front().by_containers);
}

TEST(Demand, AFilesystemThatCannotBeMeasuredPressesNobody) {
  Filesystem gone = Disk(0);
  gone.problem = "no such device";
  EXPECT_THAT(Of(gone, {}), IsEmpty());
}

TEST(Demand, TooManyImagesPress) {
  auto world = testing::World();
  world.Image("a").Image("b").Image("c").Disk({1000}, {900});
  Policy policy;
  policy.triggers.max_images = 2;
  const auto demands = DemandsOfImages(world.Build(), policy);
  ASSERT_THAT(Triggers(demands), ElementsAre(Trigger::kImages));
  const Plan plan = Decide(world.Build(), policy, demands[0].target);
  EXPECT_EQ(plan.removals, 1U);
  EXPECT_EQ(plan.verdicts[0].reason, Reason::kTooMany);
}

TEST(Demand, OfTooManyImagesTheLeastRecentlyUsedGo) {
  auto world = testing::World();
  world.Image("used", {.used_ago = hours(1)}).Image("idle", {.used_ago = hours(30)});
  world.Disk({1000}, {900});
  const Plan plan = Decide(world.Build(), {}, {.kind = Target::Kind::kImages, .count = 1});
  ASSERT_EQ(plan.removals, 1U);
  EXPECT_EQ(plan.verdicts[0].image, 1U);
}

TEST(Demand, AnAgeLimitIsLookedAtInEveryPass) {
  auto world = testing::World();
  world.Image("a");
  EXPECT_THAT(DemandsOfImages(world.Build(), {}), IsEmpty());
  EXPECT_THAT(Triggers(DemandsOfImages(world.Build(), {.max_idle_age = hours(1)})),
              ElementsAre(Trigger::kAge));
}

TEST(Demand, WhatIsAskedForOnOneFilesystemIsFreedThere) {
  auto world = testing::World();
  world.Image("a", {.size = {400}}).Disk({1000}, {100});
  const Target there{.kind = Target::Kind::kAvailable, .bytes = {200}, .mountpoint = "/elsewhere"};
  EXPECT_EQ(Decide(world.Build(), {}, there).removals, 0U);
  const Target here{
      .kind = Target::Kind::kAvailable, .bytes = {200}, .mountpoint = "/var/lib/images"};
  EXPECT_EQ(Decide(world.Build(), {}, here).removals, 1U);
}

TEST(Demand, EveryTriggerHasACode) {
  for (const Trigger trigger : AllTriggers()) EXPECT_FALSE(Code(trigger).empty());
}

}  // namespace
}  // namespace ebb::image
