#include "image/guard_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::image {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Found = GuardWatch::Found;

const ImageId kPause{"sha256:pause"};
const ImageId kApp{"sha256:app"};

class GuardWatchTest : public ::testing::Test {
 protected:
  GuardWatchTest() {
    watch_.Guard(
        {{{kPause, GuardReason::kSandbox, "", {}, {{"pause:1", {}, {}}, {kPause.value, {}, {}}}},
          {kApp, GuardReason::kRule, "", {}, {{"app:1", {}, {}}, {kApp.value, {}, {}}}}},
         {}});
  }
  // It is lost at once, looked at as soon as may be, and found so; returns how long that took.
  base::Duration LoseAndLook(const ImageId& id, Found found) {
    watch_.Gone(id.value, now_);
    const base::Duration at = std::max(now_, *watch_.NextAt());
    const base::Duration took = at - now_;
    now_ = at;
    EXPECT_THAT(watch_.Due(now_), ElementsAre(id));
    watch_.Looked(id, found, now_);
    return took;
  }

  GuardWatch watch_;
  base::Duration now_ = minutes(1);
};

TEST_F(GuardWatchTest, WaitsForNothingWhileNothingHappens) {
  EXPECT_EQ(watch_.NextAt(), std::nullopt);
  EXPECT_THAT(watch_.Due(now_), IsEmpty());
}

TEST_F(GuardWatchTest, RestoresAtOnceWhenTheIdIsGone) {
  watch_.Gone("pause:1", now_);
  watch_.Gone(kPause.value, now_ + milliseconds(3));
  EXPECT_THAT(watch_.Due(now_ + milliseconds(3)), ElementsAre(kPause));
  EXPECT_THAT(watch_.Due(now_ + milliseconds(3)), IsEmpty()) << "once";
}

TEST_F(GuardWatchTest, RestoresWhenNoMoreNamesHaveGoneForATenthOfASecond) {
  watch_.Gone("pause:1", now_);
  EXPECT_EQ(watch_.NextAt(), now_ + milliseconds(100));
  watch_.Gone("pause:1", now_ + milliseconds(60));
  EXPECT_THAT(watch_.Due(now_ + milliseconds(159)), IsEmpty());
  EXPECT_THAT(watch_.Due(now_ + milliseconds(160)), ElementsAre(kPause));
}

TEST_F(GuardWatchTest, DoesNotCareForOthers) {
  watch_.Gone("other:1", now_);
  watch_.Doubt({"sha256:other"}, now_);
  EXPECT_EQ(watch_.NextAt(), std::nullopt);
}

TEST_F(GuardWatchTest, LooksAgainFiveSecondsAfterARestore) {
  LoseAndLook(kPause, Found::kRestored);
  EXPECT_EQ(watch_.NextAt(), now_ + seconds(5));
  EXPECT_THAT(watch_.Due(now_ + seconds(5)), ElementsAre(kPause));
  watch_.Looked(kPause, Found::kWhole, now_ + seconds(5));
  EXPECT_EQ(watch_.NextAt(), std::nullopt);
}

TEST_F(GuardWatchTest, RestoresASandboxImageEveryTimeButAtMostOnceASecond) {
  EXPECT_EQ(LoseAndLook(kPause, Found::kRestored), base::Duration{});
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(LoseAndLook(kPause, Found::kRestored), seconds(1));
  }
}

TEST_F(GuardWatchTest, RestoresOthersEverMoreSeldom) {
  EXPECT_EQ(LoseAndLook(kApp, Found::kRestored), base::Duration{});
  for (const int wait : {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
    EXPECT_EQ(LoseAndLook(kApp, Found::kRestored), seconds(wait));
  }
  now_ += minutes(10);
  EXPECT_EQ(LoseAndLook(kApp, Found::kRestored), base::Duration{}) << "it had stayed for long";
  EXPECT_EQ(LoseAndLook(kApp, Found::kRestored), seconds(1));
}

TEST_F(GuardWatchTest, GoesOnTryingWhatFails) {
  LoseAndLook(kPause, Found::kFailed);
  EXPECT_EQ(watch_.NextAt(), now_ + seconds(1));
  for (const int wait : {1, 2, 4, 8, 16, 30, 30}) {
    EXPECT_EQ(LoseAndLook(kPause, Found::kFailed), seconds(wait));
  }
  EXPECT_EQ(LoseAndLook(kPause, Found::kRestored), seconds(30));
  EXPECT_EQ(LoseAndLook(kPause, Found::kRestored), seconds(1));
}

TEST_F(GuardWatchTest, LooksAtEverythingWhenAnythingMayBeGone) {
  watch_.DoubtAll(now_);
  EXPECT_THAT(watch_.Due(now_), ElementsAre(kApp, kPause));
}

TEST_F(GuardWatchTest, KeepsItsPatienceWhenTheSetIsToldAnew) {
  LoseAndLook(kApp, Found::kRestored);
  LoseAndLook(kApp, Found::kRestored);
  watch_.Guard({{{kApp, GuardReason::kRule, "", {}, {{kApp.value, {}, {}}}}}, {}});
  watch_.Gone("app:1", now_);
  EXPECT_EQ(watch_.NextAt(), now_ + seconds(5)) << "a name that is no longer guarded";
  EXPECT_EQ(LoseAndLook(kApp, Found::kRestored), seconds(2));
}

}  // namespace
}  // namespace ebb::image
