#include "http/listen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "http/server.h"
#include "http/socket_test.h"
#include "testing/temp_dir.h"

namespace ebb::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

base::Result<std::unique_ptr<Server>> Start(const std::string& address) {
  return Server::Start({.address = address},
                       [](const Request&) { return Response{.body = "yes"}; });
}

TEST(HttpListen, TakesTheFormsOperatorsWrite) {
  for (const char* address : {"127.0.0.1:0", "localhost:0", ":0", "0.0.0.0:0"}) {
    const auto server = Start(address);
    ASSERT_TRUE(server.ok()) << server.error().message;
    const TestSocket socket((*server)->port());
    socket.Say("GET / HTTP/1.0\r\n\r\n");
    EXPECT_THAT(socket.HearAll(), EndsWith("yes")) << address;
  }
}

TEST(HttpListen, RefusesWhatIsNoAddress) {
  for (const std::string address :
       {"", "9469", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1",
        "host.example:80", "[::1:80", "::1:80", "unix://", "unix://relative", "/run/x.sock",
        "http://127.0.0.1:80"}) {
    const auto listening = Listen(address);
    ASSERT_FALSE(listening.ok()) << address;
    EXPECT_EQ(listening.error().code, base::ErrorCode::kUsage) << address;
    EXPECT_THAT(listening.error().message, HasSubstr("'" + address + "'"));
  }
  EXPECT_FALSE(Listen("unix:///" + std::string(200, 'p')).ok());
}

TEST(HttpListen, SaysThatAPortIsTaken) {
  const auto first = Listen("127.0.0.1:0");
  ASSERT_TRUE(first.ok()) << first.error().message;
  const std::string address = "127.0.0.1:" + std::to_string(first->port);
  const auto second = Listen(address);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message, "cannot listen on " + address +
                                        ": another program listens there: stop it or choose "
                                        "another address");
}

TEST(HttpListen, SaysWhyAnAddressCannotBeBound) {
  const auto foreign = Listen("192.0.2.1:0");
  ASSERT_FALSE(foreign.ok());
  EXPECT_THAT(foreign.error().message, HasSubstr("192.0.2.1:0: Cannot assign requested address"));
  EXPECT_THAT(Listen("unix:///nowhere/s").error().message, HasSubstr("No such file"));
}

TEST(HttpListen, ServesEverybodyOnAUnixSocketAndTakesItAway) {
  const testing::TempDir dir;
  const std::string path = dir / "status.sock";
  {
    const auto server = Start("unix://" + path);
    ASSERT_TRUE(server.ok()) << server.error().message;
    EXPECT_EQ((*server)->port(), 0);
    struct stat info{};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0666U);
    const TestSocket socket(path);
    socket.Say("GET / HTTP/1.0\r\n\r\n");
    EXPECT_THAT(socket.HearAll(), EndsWith("yes"));
    EXPECT_THAT(Start("unix://" + path).error().message, HasSubstr("another program listens"));
    EXPECT_TRUE(TestSocket(path).connected());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(HttpListen, ReplacesASocketNobodyListensOnAndNothingElse) {
  const testing::TempDir dir;
  const std::string stale = dir / "stale.sock";
  {
    const auto dropped = Listen("unix://" + stale);
  }  // as a killed program leaves it
  ASSERT_TRUE(std::filesystem::exists(stale));
  EXPECT_TRUE(Start("unix://" + stale).ok());
  const std::string file = dir / "file";
  std::ofstream(file) << "precious";
  EXPECT_FALSE(Start("unix://" + file).ok());
  EXPECT_EQ(std::filesystem::file_size(file), 8U);
}

}  // namespace
}  // namespace ebb::http
