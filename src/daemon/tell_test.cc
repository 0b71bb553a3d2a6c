#include "daemon/tell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::daemon {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(News, WhatIsStillTrueIsNotToldAgainWhateverItsNumbers) {
  News news;
  EXPECT_THAT(news.Fresh({"1.2 GiB are held", "no history"}),
              ElementsAre("1.2 GiB are held", "no history"));
  EXPECT_THAT(news.Fresh({"1.34 GiB are held", "no history"}), IsEmpty());
  EXPECT_THAT(news.Fresh({"no history", "no disk"}), ElementsAre("no disk"));
}

TEST(News, WhatCameBackIsNewsAndNothingIsToldTwiceAtOnce) {
  News news;
  EXPECT_THAT(news.Fresh({"no disk", "no disk"}), ElementsAre("no disk"));
  EXPECT_THAT(news.Fresh({}), IsEmpty());
  EXPECT_THAT(news.Fresh({"no disk"}), ElementsAre("no disk"));
}

// P12: a log shows why a full disk stays full.
TEST(TellTrouble, SaysWhoIsInTheWayWhatIsOutOfReachAndWhatWasNotSeen) {
  engine::Pass pass;
  pass.blocked = "pid 7 holds the lock";
  pass.plan.notes = {"the target is out of reach"};
  pass.seen.warnings = {"no usage\nhistory"};
  EXPECT_THAT(TellTrouble(pass), ElementsAre("nothing is removed: pid 7 holds the lock",
                                             "the target is out of reach", "no usage history"));
}

}  // namespace
}  // namespace ebb::daemon
