#include "image/usage.h"

#include <gtest/gtest.h>

#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::World;

constexpr std::size_t kOne = 1;

const UsageRecord& Of(const std::vector<UsageRecord>& records, std::string_view word) {
  for (const UsageRecord& record : records) {
    if (record.id.value == World::IdOf(word)) return record;
  }
  static const UsageRecord nothing;
  ADD_FAILURE() << "no record of " << word;
  return nothing;
}

Observation Later(Observation seen, base::Duration time) {
  seen.taken_at += time;
  return seen;
}

TEST(Usage, KI1TheFirstSightDatesEveryImageAndCountsContainersWithoutAnImageName) {
  Observation seen =
      World().Image("i0").Image("i1").Image("i2").Container("i1").Container("i2").Build();
  seen.containers[0].image_name.clear();
  const auto records = Advance({}, seen, {});
  ASSERT_EQ(records.size(), 3U);
  for (const UsageRecord& record : records) EXPECT_LE(record.usage.first_seen, seen.taken_at);
  EXPECT_EQ(Of(records, "i0").usage.first_seen, seen.taken_at);
  EXPECT_EQ(Of(records, "i0").usage.last_used, base::kNever);
  EXPECT_EQ(Of(records, "i1").usage.last_used, seen.taken_at);
  EXPECT_EQ(Of(records, "i2").usage.last_used, seen.taken_at);
}

TEST(Usage, KI2ImagesOfRuntimeHandlersAreDatedAndCountedLikeAllOthers) {
  Observation seen =
      World().Image("i0").Image("i1").Image("i2").Container("i1").Container("i2").Build();
  seen.images[0].handlers = {"kata"};
  seen.images[1].handlers = {"kata"};
  const auto records = Advance({}, seen, {});
  EXPECT_EQ(Of(records, "i0").usage.first_seen, seen.taken_at);
  EXPECT_EQ(Of(records, "i0").usage.last_used, base::kNever);
  EXPECT_EQ(Of(records, "i1").usage.last_used, seen.taken_at);
  EXPECT_EQ(Of(records, "i2").usage.last_used, seen.taken_at);
}

TEST(Usage, KI3ANewImageIsDatedWhenItIsNewAndTheOthersKeepTheirDate) {
  const auto first = World().Image("i0").Image("i1").Container("i1").Build();
  const auto second =
      Later(World().Image("i0").Image("i1").Image("i2").Container("i1").Build(), minutes(1));
  const auto records = Advance(Advance({}, first, {}), second, {});
  EXPECT_EQ(Of(records, "i0").usage.first_seen, first.taken_at);
  EXPECT_EQ(Of(records, "i2").usage.first_seen, second.taken_at);
  EXPECT_EQ(Of(records, "i1").usage.last_used, second.taken_at);
}

TEST(Usage, KI9WhenTheContainerGoesItMayHaveRunUntilTheFirstLookWithoutIt) {
  const auto used = World().Image("i0").Image("i1").Container("i1").Build();
  const auto idle = Later(World().Image("i0").Image("i1").Build(), hours(1));
  const auto records = Advance(Advance({}, used, {}), idle, {});
  EXPECT_EQ(Of(records, "i1").usage.last_used, idle.taken_at);
  EXPECT_EQ(Of(records, "i0").usage.last_used, base::kNever);
}

TEST(Usage, KI9AfterTheFirstLookWithoutItsContainerTheLastUseStays) {
  const auto used = World().Image("i1").Container("i1").Build();
  const auto idle = Later(World().Image("i1").Build(), hours(1));
  const auto records = Advance(Advance(Advance({}, used, {}), idle, {}), Later(idle, hours(5)), {});
  EXPECT_EQ(Of(records, "i1").usage.last_used, idle.taken_at);
}

TEST(Usage, AnImageThatIsNoLongerMountedAsAVolumeMayHaveBeenUntilNow) {
  auto used = World().Image("a").Image("v").Container("a").Build();
  used.containers[0].volume_images = {World::TagOf("v")};
  const auto idle = Later(World().Image("a").Image("v").Build(), hours(1));
  EXPECT_EQ(Of(Advance(Advance({}, used, {}), idle, {}), "v").usage.last_used, idle.taken_at);
}

TEST(Usage, AnImageThatComesBackIsNotUsedBecauseItWasBeforeItWent) {
  const auto used = World().Image("a").Container("a").Build();
  auto records = Advance(Advance({}, used, {}), Later(World().Build(), hours(1)), {});
  records = Advance(records, Later(World().Image("a").Build(), hours(9)), {});
  EXPECT_EQ(Of(records, "a").usage.last_used, used.taken_at);
}

TEST(Usage, KI10ImagesThatVanishAreNoLongerPresent) {
  const auto records = Advance(Advance({}, World().Image("i0").Build(), {}), World().Build(), {});
  EXPECT_FALSE(Of(records, "i0").present);
}

TEST(Usage, AnImageThatComesBackStartsANewStayAndIsYoungAgain) {
  const auto here = World().Image("i0").Build();
  const auto back = Later(here, hours(48));
  auto records = Advance({}, here, {});
  records = Advance(records, Later(World().Build(), hours(1)), {});
  records = Advance(records, back, {});
  EXPECT_EQ(Of(records, "i0").usage.first_seen, back.taken_at);
  EXPECT_EQ(Of(records, "i0").usage.pulls, 2);
}

TEST(Usage, KD20WithoutHistoryEvidenceDatesAnImageAndElseItIsSeenNow) {
  const auto seen = World().Image("a").Image("b").Image("c").Build();
  const auto records = Advance({}, seen,
                               {{{World::IdOf("a")}, seen.taken_at - hours(5)},
                                {{World::IdOf("a")}, seen.taken_at - hours(9)},
                                {{World::IdOf("c")}, base::kNever}});
  EXPECT_EQ(Of(records, "a").usage.first_seen, seen.taken_at - hours(9));
  EXPECT_EQ(Of(records, "b").usage.first_seen, seen.taken_at);
  EXPECT_EQ(Of(records, "c").usage.first_seen, seen.taken_at) << "never the year 1";
}

TEST(Usage, AContainerOlderThanOurFirstSightIsEvidence) {
  const auto seen = World().Image("a").Container("a", ContainerState::kExited).Build();
  EXPECT_EQ(Of(Advance({}, seen, {}), "a").usage.first_seen, seen.containers[0].created_at);
}

TEST(Usage, EachContainerIsOneStartHoweverOftenItIsSeen) {
  auto seen = World().Image("a").Container("a").Container("a").Build();
  auto records = Advance(Advance({}, seen, {}), Later(seen, minutes(1)), {});
  EXPECT_EQ(Of(records, "a").usage.starts, 2);
  seen.containers.push_back(seen.containers[0]);
  seen.containers.back().created_at = seen.taken_at + minutes(2);
  records = Advance(records, Later(seen, minutes(3)), {});
  EXPECT_EQ(Of(records, "a").usage.starts, 3);
}

// What the starts of "a" are worth at `now`.
double Worth(const std::vector<UsageRecord>& records, base::TimePoint now) {
  auto seen = World().Image("a").Build();
  ApplyUsage(records, seen.images);
  return RecentStarts(seen.images[0].usage, now);
}

TEST(Usage, AStartIsWorthHalfAfterTwoDaysHoweverOftenWeLookBetween) {
  const auto seen = World().Image("a").Container("a").Build();
  auto records = Advance({}, seen, {});
  const auto idle = World().Image("a").Build();
  for (int day = 1; day <= 4; ++day) records = Advance(records, Later(idle, hours(24 * day)), {});
  const auto created = seen.containers[0].created_at;
  EXPECT_DOUBLE_EQ(Worth(records, created), 1);
  EXPECT_DOUBLE_EQ(Worth(records, created + hours(48)), 0.5);
  EXPECT_DOUBLE_EQ(Worth(records, created + hours(96)), 0.25);
}

TEST(Usage, StartsAddUpInWhateverOrderTheyAreListed) {
  auto seen = World().Image("a").Container("a").Container("a").Container("a").Build();
  seen.containers[0].created_at = seen.taken_at - hours(48);
  seen.containers[1].created_at = seen.taken_at;
  seen.containers[2].created_at = seen.taken_at - hours(96);
  EXPECT_DOUBLE_EQ(Worth(Advance({}, seen, {}), seen.taken_at), 1.75);
  const auto later = Later(World().Image("a").Container("a").Build(), hours(48));
  auto next = later;
  next.containers[0].created_at = later.taken_at;
  const auto records = Advance(Advance({}, seen, {}), next, {});
  EXPECT_DOUBLE_EQ(Worth(records, later.taken_at), 1 + 1.75 / 2);
}

TEST(Usage, StartsThatAnOlderHistoryOnlyCountedAreWorthOneAtTheLastUse) {
  const auto now = World().Build().taken_at;
  EXPECT_DOUBLE_EQ(RecentStarts({.last_used = now - hours(48), .starts = 9}, now), 0.5);
  EXPECT_DOUBLE_EQ(RecentStarts({.last_used = now}, now), 0) << "never started, only mounted";
}

TEST(Usage, AClockSetBackLeavesNoTimesInTheFuture) {
  const auto seen = World().Image("a").Container("a").Build();
  const auto past = Later(World().Image("a").Build(), -hours(24 * 365));
  const auto records = Advance(Advance({}, seen, {}), past, {});
  EXPECT_LE(Of(records, "a").usage.last_used, past.taken_at);
  EXPECT_LE(Of(records, "a").usage.first_seen, past.taken_at);
}

TEST(Usage, ImageVolumesCountAsUse) {
  auto seen = World().Image("a").Image("v").Container("a").Build();
  seen.containers[0].volume_images = {World::TagOf("v")};
  EXPECT_EQ(Of(Advance({}, seen, {}), "v").usage.last_used, seen.taken_at);
}

TEST(Usage, IsCopiedOntoTheImagesItBelongsTo) {
  auto seen = World().Image("a").Build();
  ApplyUsage({{.id = {World::IdOf("a")}, .usage = {.starts = 7}}}, seen.images);
  ASSERT_EQ(seen.images.size(), kOne);
  EXPECT_EQ(seen.images[0].usage.starts, 7);
}

// A job that began and ended between two looks: only the runtime's events know of it.
TEST(Usage, AContainerThatCameAndWentBetweenTwoLooksIsAUseAndAStart) {
  const auto first = World().Image("job").Build();
  auto second = Later(first, minutes(5));
  second.passed = {
      {.id = "gone", .created_at = first.taken_at + minutes(1), .image_name = World::TagOf("job")}};
  const auto records = Advance(Advance({}, first, {}), second, {});
  EXPECT_EQ(Of(records, "job").usage.starts, 1);
  EXPECT_EQ(Of(records, "job").usage.last_used, second.taken_at);
  EXPECT_EQ(Of(records, "job").latest_start, first.taken_at + minutes(1));
}

TEST(Usage, WhatWasToldAndIsListedTooIsOneStart) {
  const auto first = World().Image("job").Build();
  auto told = Later(first, minutes(5));
  told.passed = {{.id = "c", .created_at = told.taken_at, .image_name = World::TagOf("job")}};
  auto listed = Later(World().Image("job").Container("job").Build(), minutes(6));
  listed.containers[0].created_at = told.taken_at;
  const auto records = Advance(Advance(Advance({}, first, {}), told, {}), listed, {});
  EXPECT_EQ(Of(records, "job").usage.starts, 1);
}

}  // namespace
}  // namespace ebb::image
