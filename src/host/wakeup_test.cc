#include "host/wakeup.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "host/clock.h"
#include "host/signals.h"

namespace ebb::host {
namespace {

using std::chrono::hours;

// Each would wait for an hour if nothing woke it.
TEST(Wakeup, AnotherThreadEndsTheWait) {
  Wakeup wakeup;
  std::thread other([&] { wakeup.Wake(); });
  wakeup.WaitFor(hours(1));
  other.join();
}

TEST(Wakeup, AWakeThatCameBeforeTheWaitIsNotLost) {
  Wakeup wakeup;
  wakeup.Wake();
  wakeup.WaitFor(hours(1));
}

TEST(Wakeup, ASignalEndsTheWaitWhicheverThreadItReaches) {
  Wakeup wakeup;
  (void)Wakeup::TakeAsked();
  std::thread other([] { (void)::raise(SIGHUP); });
  wakeup.WaitFor(hours(1));
  other.join();
  const Asked asked = Wakeup::TakeAsked();
  EXPECT_TRUE(asked.reload);
  EXPECT_FALSE(asked.act);
  EXPECT_FALSE(Wakeup::TakeAsked().reload) << "it was taken";
}

TEST(Wakeup, UserSignalOneAsksForAPass) {
  Wakeup wakeup;
  (void)::raise(SIGUSR1);
  wakeup.WaitFor(hours(1));
  EXPECT_TRUE(Wakeup::TakeAsked().act);
}

TEST(Wakeup, ComesBackWhenItsTimeIsOver) {
  Wakeup wakeup;
  SystemClock clock;
  const auto start = clock.Elapsed();
  wakeup.WaitFor(std::chrono::milliseconds(20));
  EXPECT_GE(clock.Elapsed() - start, std::chrono::milliseconds(15));
}

}  // namespace
}  // namespace ebb::host
