#include "engine/schedule.h"

#include <gtest/gtest.h>

namespace ebb::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

const std::set<std::string> kDisk = {"used /"};

// A schedule that has just looked at a node on which nothing presses.
Schedule AtRest() {
  Schedule schedule(seconds(0));
  schedule.Looked(seconds(0), milliseconds(20), std::nullopt);
  return schedule;
}

TEST(Schedule, LooksAtOnceWhenItStarts) {
  EXPECT_TRUE(Schedule(seconds(7)).Due(seconds(7)));
}

TEST(Schedule, LooksEveryFiveMinutesWhileNothingHappens) {
  const Schedule schedule = AtRest();
  EXPECT_FALSE(schedule.Due(minutes(5) - seconds(1)));
  EXPECT_TRUE(schedule.Due(minutes(5)));
}

TEST(Schedule, LooksOftenerTheSoonerTheMarkIsReached) {
  Schedule schedule = AtRest();
  schedule.Looked(seconds(0), milliseconds(20), minutes(4));
  EXPECT_EQ(schedule.NextAt(), minutes(1));
  schedule.Looked(seconds(0), milliseconds(20), seconds(4));
  EXPECT_EQ(schedule.NextAt(), seconds(10));
}

TEST(Schedule, SparesARuntimeThatAnswersSlowly) {
  Schedule schedule = AtRest();
  schedule.Looked(seconds(0), minutes(1), seconds(4));
  EXPECT_EQ(schedule.NextAt(), minutes(20));
}

TEST(Schedule, LooksSoonAfterAnEvent) {
  Schedule schedule = AtRest();
  schedule.Changed(minutes(1));
  EXPECT_EQ(schedule.NextAt(), minutes(1) + seconds(2));
}

TEST(Schedule, AStormOfEventsIsNoStormOfLooks) {
  Schedule schedule = AtRest();
  for (int event = 0; event < 1000; ++event) schedule.Changed(milliseconds(event));
  EXPECT_EQ(schedule.NextAt(), seconds(10));
}

TEST(Schedule, ActsAtOnceWhenSomethingBeginsToPress) {
  Schedule schedule = AtRest();
  schedule.Press(seconds(0), kDisk);
  EXPECT_TRUE(schedule.Due(seconds(1)));
}

TEST(Schedule, GoesOnAtOnceWhileSomethingComesFree) {
  Schedule schedule = AtRest();
  schedule.Press(seconds(0), kDisk);
  schedule.Looked(seconds(1), milliseconds(20), std::nullopt);
  schedule.Ran(seconds(1), true);
  EXPECT_EQ(schedule.NextAt(), seconds(2));
}

// P12: no new run until something changed, or much later.
TEST(Schedule, AfterARunInVainItWaitsLongerEachTime) {
  Schedule schedule = AtRest();
  schedule.Press(seconds(0), kDisk);
  base::Duration now = seconds(1);
  for (const auto wait : {seconds(10), seconds(20), seconds(40), seconds(80), seconds(160)}) {
    schedule.Looked(now, milliseconds(20), std::nullopt);
    schedule.Ran(now, false);
    EXPECT_EQ(schedule.NextAt(), now + wait);
    now += wait;
  }
  schedule.Looked(now, milliseconds(20), std::nullopt);
  schedule.Ran(now, false);
  EXPECT_EQ(schedule.NextAt(), now + minutes(5)) << "and never longer than this";
}

TEST(Schedule, AfterARunInVainAnEventMakesItTryAgain) {
  Schedule schedule = AtRest();
  schedule.Press(seconds(0), kDisk);
  for (int run = 0; run < 5; ++run) {
    schedule.Looked(seconds(1), milliseconds(20), std::nullopt);
    schedule.Ran(seconds(1), false);
  }
  schedule.Changed(seconds(30));
  EXPECT_EQ(schedule.NextAt(), seconds(32));
}

Schedule InVain() {
  Schedule schedule = AtRest();
  schedule.Press(seconds(0), kDisk);
  for (int run = 0; run < 5; ++run) {
    schedule.Looked(seconds(1), milliseconds(20), std::nullopt);
    schedule.Ran(seconds(1), false);
  }
  return schedule;
}

TEST(Schedule, OurOwnDeletionsAreNoReasonToTryAgain) {
  Schedule schedule = InVain();
  schedule.Changed(seconds(30), Schedule::By::kOurselves);
  EXPECT_EQ(schedule.NextAt(), seconds(32)) << "they are one to look";
  schedule.Looked(seconds(32), milliseconds(20), std::nullopt);
  EXPECT_EQ(schedule.NextAt(), seconds(161));
}

TEST(Schedule, WhatIsTriedAgainAfterAnEventSparesASlowRuntimeToo) {
  Schedule schedule = AtRest();
  schedule.Press(seconds(0), kDisk);
  schedule.Looked(seconds(1), minutes(1), std::nullopt);
  for (int run = 0; run < 9; ++run) schedule.Ran(seconds(1), false);
  schedule.Changed(seconds(2));
  EXPECT_EQ(schedule.NextAt(), minutes(5) + seconds(1)) << "no sooner than it would have been";
}

TEST(Schedule, WhatPressesAnewIsRelievedAtOnce) {
  Schedule schedule = InVain();
  schedule.Press(seconds(2), {});
  schedule.Press(seconds(11), {});
  schedule.Press(seconds(12), kDisk);
  EXPECT_TRUE(schedule.Due(seconds(12)));
}

TEST(Schedule, WhatFlickersAtTheEdgeOfAMarkIsNotNewEachTime) {
  Schedule schedule = InVain();
  for (int second = 2; second < 60; ++second) {
    schedule.Press(seconds(second), second % 2 == 0 ? kDisk : std::set<std::string>{});
    EXPECT_FALSE(schedule.Due(seconds(second))) << second;
  }
}

TEST(Schedule, OneThingTriedInVainDoesNotKeepAnotherWaiting) {
  Schedule schedule = InVain();
  schedule.Press(seconds(2), {"used /", "inodes /"});
  EXPECT_TRUE(schedule.Due(seconds(2)));
  schedule.Looked(seconds(2), milliseconds(20), std::nullopt);
  schedule.Ran(seconds(2), false);
  EXPECT_FALSE(schedule.Due(seconds(3)));
  schedule.Press(seconds(4), {"inodes /"});
  EXPECT_FALSE(schedule.Due(seconds(4))) << "it was there already";
}

TEST(Schedule, ARuntimeThatFailsIsAskedLessAndLess) {
  Schedule schedule(seconds(0));
  schedule.Press(seconds(0), kDisk);
  base::Duration now{};
  for (const auto wait : {seconds(1), seconds(2), seconds(4), seconds(8), seconds(16), seconds(32),
                          seconds(60), seconds(60)}) {
    schedule.Failed(now);
    EXPECT_EQ(schedule.NextAt(), now + wait);
    now += wait;
  }
  for (int more = 0; more < 100; ++more) schedule.Failed(now);
  EXPECT_EQ(schedule.NextAt(), now + minutes(1));
}

TEST(Schedule, WhoeverAsksIsServedAtOnceAndOnce) {
  Schedule schedule = AtRest();
  schedule.Ask();
  EXPECT_TRUE(schedule.Due(seconds(1)));
  schedule.Looked(seconds(1), milliseconds(20), std::nullopt);
  EXPECT_FALSE(schedule.Due(seconds(2)));
}

}  // namespace
}  // namespace ebb::engine
