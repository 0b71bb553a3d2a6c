#include "engine/clock_watch.h"

#include <gtest/gtest.h>

namespace ebb::engine {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const base::TimePoint kStart = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);

TEST(ClockWatch, AClockThatRunsIsBelieved) {
  ClockWatch watch(kStart - hours(24 * 29));
  for (int hour = 0; hour < 100; ++hour) {
    watch.Look(kStart + hours(hour) + seconds(hour % 2), hours(hour));
    EXPECT_FALSE(watch.Ahead());
  }
}

TEST(ClockWatch, OneThatWentAheadIsNotBelievedForADay) {
  ClockWatch watch;
  watch.Look(kStart, hours(0));
  watch.Look(kStart + hours(500), hours(1));
  EXPECT_EQ(watch.Ahead(), hours(499));
  watch.Look(kStart + hours(522), hours(23));
  EXPECT_TRUE(watch.Ahead());
  watch.Look(kStart + hours(524), hours(25));
  EXPECT_FALSE(watch.Ahead());
}

TEST(ClockWatch, OneThatWasSetBackHasMadeNothingOlder) {
  ClockWatch watch;
  watch.Look(kStart, hours(0));
  watch.Look(kStart - hours(24 * 365), hours(1));
  EXPECT_FALSE(watch.Ahead());
}

TEST(ClockWatch, ANodeThatWasOffForMonthsMayHaveForgottenTheTime) {
  ClockWatch watch(kStart - hours(24 * 400));
  watch.Look(kStart, minutes(1));
  EXPECT_TRUE(watch.Ahead());
}

TEST(ClockWatch, WithoutAnythingToCompareWithItIsBelieved) {
  ClockWatch watch;
  watch.Look(kStart, minutes(1));
  EXPECT_FALSE(watch.Ahead());
}

}  // namespace
}  // namespace ebb::engine
