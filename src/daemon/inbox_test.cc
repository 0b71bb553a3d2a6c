#include "daemon/inbox.h"

#include <gtest/gtest.h>

namespace ebb::daemon {
namespace {

const engine::RuntimeEvent kStarted{.kind = engine::RuntimeEvent::Kind::kContainer,
                                    .container = "c",
                                    .image = "registry.example/app:1"};

TEST(Inbox, TellsOnceWhatCame) {
  Inbox inbox;
  EXPECT_FALSE(inbox.Take().changed);
  inbox.Put(kStarted);
  inbox.Put({.kind = engine::RuntimeEvent::Kind::kImage});
  const Inbox::Content content = inbox.Take();
  EXPECT_TRUE(content.changed);
  EXPECT_EQ(content.started.size(), 1U);
  EXPECT_FALSE(inbox.Take().changed);
}

TEST(Inbox, KeepsNoMoreThanItsBoundWhileNobodyLooks) {
  Inbox inbox;
  for (std::size_t i = 0; i < Inbox::kMostKept + 5; ++i) inbox.Put(kStarted);
  EXPECT_EQ(inbox.Take().started.size(), Inbox::kMostKept);
}

TEST(Inbox, TheFirstConnectionOfAStreamIsNoReconnect) {
  Inbox inbox;
  inbox.Begin();
  inbox.Connected();
  EXPECT_EQ(inbox.Take().reconnects, 0);
  inbox.Connected();
  EXPECT_EQ(inbox.Take().reconnects, 1);
  inbox.Begin();
  inbox.Connected();
  EXPECT_EQ(inbox.Take().reconnects, 0);
}

}  // namespace
}  // namespace ebb::daemon
