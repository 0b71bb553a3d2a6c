#include "image/back_off.h"

#include <gmock/gmock.h>

#include "image/plan.h"
#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ::testing::HasSubstr;

const base::TimePoint kNow = base::TimePoint(hours(24 * 365 * 50));

Image Failed(int count, base::Duration ago, bool held = false) {
  Image image;
  image.setback = {
      .count = count, .last = kNow - ago, .held = held, .detail = "input/output error"};
  return image;
}

TEST(BackOff, AnImageWhoseRemovalNeverFailedIsTried) {
  EXPECT_FALSE(BackOff(Image{}, kNow).has_value());
}

TEST(BackOff, DoublesFromFiveMinutesToADay) {
  EXPECT_EQ(RetryAt({.count = 1, .last = kNow}), kNow + minutes(5));
  EXPECT_EQ(RetryAt({.count = 2, .last = kNow}), kNow + minutes(10));
  EXPECT_EQ(RetryAt({.count = 5, .last = kNow}), kNow + minutes(80));
  EXPECT_EQ(RetryAt({.count = 10, .last = kNow}), kNow + hours(24));
  EXPECT_EQ(RetryAt({.count = 1'000'000, .last = kNow}), kNow + hours(24));
}

TEST(BackOff, SaysHowOftenUntilWhenAndWhy) {
  const auto shield = BackOff(Failed(3, minutes(1)), kNow);
  ASSERT_TRUE(shield.has_value());
  EXPECT_EQ(shield->reason, Reason::kBackOff);
  EXPECT_EQ(shield->detail, "failed 3 times, tried again in 19m: input/output error");
}

TEST(BackOff, ARuntimeThatRefusesIsAskedAgainLater) {
  const auto shield = BackOff(Failed(1, minutes(1), true), kNow);
  ASSERT_TRUE(shield.has_value());
  EXPECT_EQ(shield->reason, Reason::kHeld);
  EXPECT_THAT(shield->detail, HasSubstr("refused, tried again in 4m"));
}

TEST(BackOff, EndsAtItsTimeAndNotLaterForAClockSetBack) {
  EXPECT_FALSE(BackOff(Failed(1, minutes(5)), kNow).has_value());
  EXPECT_FALSE(BackOff(Failed(1, -hours(1000)), kNow).has_value());
}

}  // namespace
}  // namespace ebb::image
