#include "image/past.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::image {
namespace {

using std::chrono::hours;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const base::TimePoint kStart = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

// Removed in run `run`, which began `hour` hours after kStart and took a minute.
PastRemoval Removed(std::int64_t run, const std::string& id, int hour) {
  return {.run = run,
          .run_started = kStart + hours(hour),
          .time = kStart + hours(hour) + std::chrono::minutes(1),
          .id = {id},
          .name = "registry.example/" + id + ":1",
          .reason = "over-mark",
          .outcome = "removed",
          .first_seen = kStart - hours(100)};
}

// On the node since `hour`.
UsageRecord Here(const std::string& id, int hour) {
  return {.id = {id},
          .name = "registry.example/" + id + ":1",
          .usage = {.first_seen = kStart + hours(hour)},
          .present = true};
}

TEST(Regrets, AnImageThatIsSeenAgainAfterItsRemovalIsOne) {
  const auto regrets = FindRegrets({Removed(1, "a", 0)}, {Here("a", 5)});
  ASSERT_THAT(regrets, SizeIs(1));
  EXPECT_EQ(regrets[0].removal.run, 1);
  EXPECT_EQ(regrets[0].back, kStart + hours(5));
  EXPECT_TRUE(regrets[0].same_image());
}

TEST(Regrets, AnImageThatStaysAwayIsNone) {
  EXPECT_THAT(FindRegrets({Removed(1, "a", 0)}, {}), IsEmpty());
  UsageRecord gone = Here("a", -100);
  gone.present = false;
  EXPECT_THAT(FindRegrets({Removed(1, "a", 0)}, {gone}), IsEmpty());
}

TEST(Regrets, AnImageThatCameBackAndWentAgainStillIsOne) {
  UsageRecord gone = Here("a", 5);
  gone.present = false;
  EXPECT_THAT(FindRegrets({Removed(1, "a", 0)}, {gone}), SizeIs(1));
}

TEST(Regrets, AnImageThatIsBackBeforeItsRunIsOverIsOne) {
  UsageRecord back = Here("a", 0);
  back.usage.first_seen += std::chrono::seconds(30);
  EXPECT_THAT(FindRegrets({Removed(1, "a", 0)}, {back}), SizeIs(1));
}

TEST(Regrets, AnotherImageOfTheSameNameIsTold) {
  UsageRecord other = Here("b", 7);
  other.name = "registry.example/a:1";
  const auto regrets = FindRegrets({Removed(1, "a", 0)}, {other});
  ASSERT_THAT(regrets, SizeIs(1));
  EXPECT_FALSE(regrets[0].same_image());
  EXPECT_EQ(regrets[0].back_as.value, "b");
}

TEST(Regrets, TheImageItselfCountsBeforeAnotherOneOfItsName) {
  UsageRecord other = Here("b", 1);
  other.name = "registry.example/a:1";
  const auto regrets = FindRegrets({Removed(1, "a", 0)}, {Here("a", 9), other});
  ASSERT_THAT(regrets, SizeIs(1));
  EXPECT_TRUE(regrets[0].same_image());
}

TEST(Regrets, ImagesWithoutANameHaveNoneInCommon) {
  PastRemoval removal = Removed(1, "a", 0);
  UsageRecord other = Here("b", 7);
  removal.name.clear();
  other.name.clear();
  EXPECT_THAT(FindRegrets({removal}, {other}), IsEmpty());
}

// The usage record tells only of the last stay; the one before is known from its own removal.
TEST(Regrets, EachOfSeveralRemovalsOfOneImageKnowsItsOwnReturn) {
  PastRemoval second = Removed(2, "a", 20);
  second.first_seen = kStart + hours(3);
  const auto regrets = FindRegrets({Removed(1, "a", 0), second}, {Here("a", 30)});
  ASSERT_THAT(regrets, SizeIs(2));
  EXPECT_EQ(regrets[0].removal.run, 2) << "the latest first";
  EXPECT_EQ(regrets[0].back, kStart + hours(30));
  EXPECT_EQ(regrets[1].back, kStart + hours(3));
}

TEST(Regrets, OnlyWhatWeRemovedCanBeOne) {
  for (const char* const outcome :
       {"gone", "held", "failed", "came-in-use", "restored", "not-tried"}) {
    PastRemoval removal = Removed(1, "a", 0);
    removal.outcome = outcome;
    EXPECT_THAT(FindRegrets({removal}, {Here("a", 5)}), IsEmpty()) << outcome;
  }
  PastRemoval raced = Removed(1, "a", 0);
  raced.outcome = "raced";
  EXPECT_THAT(FindRegrets({raced}, {Here("a", 5)}), SizeIs(1));
}

}  // namespace
}  // namespace ebb::image
