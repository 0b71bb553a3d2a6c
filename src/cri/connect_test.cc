// Against real sockets on which no CRI runtime answers.
#include "cri/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/unique_fd.h"
#include "cri/remover.h"
#include "cri/runtime.h"
#include "testing/temp_dir.h"

namespace ebb::cri {
namespace {

using base::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class Sockets : public ::testing::Test {
 protected:
  std::string Path() const { return directory_ / "cri.sock"; }

  base::UniqueFd Bind() const {
    base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(static_cast<char*>(address.sun_path), Path().data(), Path().size());
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    EXPECT_TRUE(fd.valid() && ::bind(fd.get(), generic, sizeof(address)) == 0);
    return fd;
  }

  // The kernel accepts for it; nobody ever answers.
  base::UniqueFd Listen() const {
    base::UniqueFd fd = Bind();
    EXPECT_TRUE(fd.valid() && ::listen(fd.get(), 16) == 0);
    return fd;
  }

  const ebb::testing::TempDir directory_;
};

void ExpectUnavailable(const base::Error& error, const char* why) {
  EXPECT_EQ(error.code, ErrorCode::kUnavailable) << error.message;
  EXPECT_THAT(error.message, HasSubstr(why));
}

TEST_F(Sockets, ThatDoNotExistAreNamedByAProbe) {
  const auto probe = Probe("unix://" + Path(), seconds(60));
  ASSERT_FALSE(probe.ok());
  ExpectUnavailable(probe.error(), "there is no socket at");
  EXPECT_THAT(probe.error().message, HasSubstr(Path()));
}

TEST_F(Sockets, ThatNobodyListensAtAreNamedByAProbe) {
  const base::UniqueFd bound = Bind();
  const auto probe = Probe(Path(), seconds(60));
  ASSERT_FALSE(probe.ok());
  ExpectUnavailable(probe.error(), "nobody listens at");
}

TEST_F(Sockets, ThatArePlainFilesAreNamedByAProbe) {
  std::ofstream(Path()) << "x";
  const auto probe = Probe(Path(), seconds(60));
  ASSERT_FALSE(probe.ok());
  ExpectUnavailable(probe.error(), "is not a socket");
}

TEST_F(Sockets, ThatNeverAnswerAreNamedByAProbe) {
  const base::UniqueFd listening = Listen();
  const auto probe = Probe(Path(), milliseconds(300));
  ASSERT_FALSE(probe.ok());
  ExpectUnavailable(probe.error(), "no answer within 0.3s");
}

TEST_F(Sockets, OfAnotherProtocolAreNamedByAProbe) {
  const base::UniqueFd listening = Listen();
  std::thread server([&] {
    // First the probe that only knocks, then gRPC.
    for (int i = 0; i < 2; ++i) {
      const base::UniqueFd peer(::accept(listening.get(), nullptr, nullptr));
      std::array<char, 4096> request{};
      if (!peer.valid() || ::recv(peer.get(), request.data(), request.size(), 0) <= 0) continue;
      constexpr std::string_view kAnswer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
      EXPECT_GT(::send(peer.get(), kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL), 0);
    }
  });
  const auto probe = Probe(Path(), seconds(60));
  ::shutdown(listening.get(), SHUT_RDWR);
  server.join();
  ASSERT_FALSE(probe.ok());
  ExpectUnavailable(probe.error(), "Version at unix://");
}

TEST(Connect, RefusesWhatIsNoUnixSocketWithoutTouchingAnything) {
  EXPECT_EQ(Probe("tcp://127.0.0.1:1", seconds(60)).error().code, ErrorCode::kUsage);
  const auto runtime = Connect({.runtime = "tcp://127.0.0.1:1", .image = ""});
  ASSERT_FALSE(runtime.ok());
  EXPECT_EQ(runtime.error().code, ErrorCode::kUsage);
  const auto image = Connect({.runtime = "/nowhere/cri.sock", .image = "tcp://127.0.0.1:1"});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code, ErrorCode::kUsage);
}

TEST_F(Sockets, ThatDoNotExistFailEveryCallWithTheSameSentence) {
  auto connection = Connect({.runtime = Path(), .image = ""});
  ASSERT_TRUE(connection.ok());
  const auto runtime = MakeRuntime(*connection);
  const std::vector<image::ImageId> ids(100, {"sha256:1"});
  const std::vector<std::string> names(100, "x");
  const char* why = "there is no socket at";
  ExpectUnavailable(runtime->Identify().error(), why);
  ExpectUnavailable(runtime->List().error(), why);
  ExpectUnavailable(runtime->Storage().error(), why);
  ExpectUnavailable(runtime->Resolve("a").error(), why);
  ExpectUnavailable(runtime->LayersOf(ids).error(), why);
  ExpectUnavailable(runtime->ImagesOfSandboxes(names).error(), why);
  ExpectUnavailable(runtime->VolumesOf(names).error(), why);
}

TEST_F(Sockets, ThatDoNotExistRemoveNothingAndSoonStopTrying) {
  auto connection = Connect({.runtime = Path(), .image = ""});
  ASSERT_TRUE(connection.ok());
  const std::vector<engine::Victim> victims(64, {.id = {"sha256:1"}});
  const auto results = MakeRemover(*connection)->Remove(victims);
  ASSERT_EQ(results.size(), victims.size());
  for (const auto& result : results) EXPECT_EQ(result.outcome, image::Outcome::kFailed);
  EXPECT_THAT(results.front().detail, HasSubstr("there is no socket at"));
  EXPECT_THAT(results.back().detail, HasSubstr("not tried"));
}

TEST_F(Sockets, AreNotAskedAboutNothing) {
  auto connection = Connect({.runtime = Path(), .image = ""});
  ASSERT_TRUE(connection.ok());
  const auto runtime = MakeRuntime(*connection);
  EXPECT_TRUE(runtime->LayersOf({}).ok());
  EXPECT_TRUE(runtime->VolumesOf({}).ok());
  EXPECT_EQ(runtime->Resolve("").value().value, "");
  EXPECT_TRUE(MakeRemover(*connection)->Remove({}).empty());
}

TEST_F(Sockets, ThatNeverAnswerEndEveryCallAtItsDeadline) {
  const base::UniqueFd listening = Listen();
  Options options;
  options.list_timeout = milliseconds(200);
  auto connection = Connect({.runtime = Path(), .image = ""}, options);
  ASSERT_TRUE(connection.ok());
  const auto runtime = MakeRuntime(*connection);
  ExpectUnavailable(runtime->List().error(), "no answer within 0.2s");
  ExpectUnavailable(runtime->LayersOf(std::vector<image::ImageId>(100, {"x"})).error(),
                    "no answer within 0.2s");
}

TEST_F(Sockets, ThatNeverAnswerFailEveryCallOnceConnectingTakesTooLong) {
  const base::UniqueFd listening = Listen();
  Options options;
  options.connect_timeout = milliseconds(100);
  auto connection = Connect({.runtime = Path(), .image = ""}, options);
  ASSERT_TRUE(connection.ok());
  ExpectUnavailable(MakeRuntime(*connection)->List().error(),
                    "the container runtime does not answer");
}

}  // namespace
}  // namespace ebb::cri
