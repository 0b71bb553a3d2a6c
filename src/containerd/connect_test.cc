// Against sockets on which no containerd answers. A real one: tests/store.
#include "containerd/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containerd/store.h"
#include "testing/temp_dir.h"

namespace ebb::containerd {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

TEST(Connect, RefusesWhatIsNoUnixSocket) {
  EXPECT_EQ(Connect("tcp://127.0.0.1:1").error().code, ErrorCode::kUsage);
}

TEST(Connect, ToASocketThatIsNotThereFailsWithTheFirstCall) {
  const testing::TempDir dir;
  const auto connection = Connect(dir / "containerd.sock");
  ASSERT_TRUE(connection.ok());
  const auto probe = Probe(**connection);
  ASSERT_FALSE(probe.ok());
  EXPECT_EQ(probe.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(probe.error().message, HasSubstr("there is no socket at"));
  engine::FactBook facts;
  const auto store = MakeStoreReader(*connection)->Read(facts);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(store.error().message, HasSubstr("there is no socket at"));
}

}  // namespace
}  // namespace ebb::containerd
