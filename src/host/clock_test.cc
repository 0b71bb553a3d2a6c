#include "host/clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace ebb::host {
namespace {

TEST(SystemClock, AgreesWithTheMachine) {
  SystemClock clock;
  const auto before = std::chrono::system_clock::now();
  const auto now = clock.Now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, std::chrono::system_clock::now());
}

TEST(SystemClock, SleepsAtLeastAsLongAsAsked) {
  SystemClock clock;
  const auto start = clock.Elapsed();
  clock.SleepFor(std::chrono::milliseconds(2));
  EXPECT_GE(clock.Elapsed() - start, std::chrono::milliseconds(2));
}

TEST(SystemClock, DoesNotSleepForNothing) {
  SystemClock clock;
  clock.SleepFor(base::Duration::zero());
  clock.SleepFor(std::chrono::hours(-1));
}

}  // namespace
}  // namespace ebb::host
