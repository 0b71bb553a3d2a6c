// A runtime, a disk or a process that fails under the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/unique_fd.h"
#include "cli/hanging_disk.h"
#include "cli/rig.h"
#include "testing/ci.h"

namespace ebb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(Cli, NoSocketExitsWithFourAndSaysWhere) {
  const std::string nowhere = "unix://" + (dir_ / "nowhere.sock").string();
  const Ran ran = Ebb({"status", "--runtime-endpoint", nowhere, "--state-dir", dir_ / "s"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.err, HasSubstr("nowhere.sock"));
}

TEST_F(Cli, ASocketThatNobodyListensAtExitsWithFour) {
  const std::string dead = dir_ / "dead.sock";
  const base::UniqueFd bound(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  dead.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(bound.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  const Ran ran =
      Ebb({"status", "--runtime-endpoint", "unix://" + dead, "--state-dir", dir_ / "s"});
  EXPECT_EQ(ran.code, 4) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("nobody listens"));
  EXPECT_THAT(Lines(ran.err), SizeIs(1)) << ran.err;
}

TEST_F(Cli, WithoutTheRightToTheSocketItExitsWithFourAndSaysWhatToDo) {
  constexpr uid_t kNobody = 65534;
  std::filesystem::permissions(dir_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(dir_ / "cri.sock", std::filesystem::perms(0600));
  for (const char* command : {"status", "collect"}) {
    const Ran ran = EbbAs(kNobody, {command, "--runtime-endpoint", server_->endpoint(),
                                    "--state-dir", dir_ / "state"});
    EXPECT_EQ(ran.code, command == std::string("status") ? 4 : 5) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("as root")) << ran.err;
    EXPECT_THAT(Lines(ran.err), SizeIs(1)) << ran.err;
  }
}

TEST_F(Cli, ADiskThatDoesNotAnswerIsToldAndNothingIsRemovedForItsSake) {
  const std::string dead = dir_ / "dead";
  std::filesystem::create_directory(dead);
  auto disk = OwnMounts().ok() ? HangingDisk::Mount(dead) : base::Error{};
  if (!disk.ok()) {
    if (testing::InCi()) FAIL() << disk.error().message;
    GTEST_SKIP() << "no filesystem can be served here: " << disk.error().message;
  }
  testing::FakeNode node(WithStore(testing::Containerd17(), dead), clock_);
  const auto idle = node.AddImage("registry.example/idle:1", {100});
  auto server = wire::CriServer::Start(node, {.path = dir_ / "dead.sock"});
  ASSERT_TRUE(server.ok());
  const Words more = {"--runtime-endpoint", (*server)->endpoint(), "--state-dir",
                      dir_ / "s",           "--min-age",           "0s"};
  Words status = {"status"};
  status.insert(status.end(), more.begin(), more.end());
  // A leak check stops every thread first, and one that waits for a dead disk cannot be stopped.
  const Environment unchecked = {{"ASAN_OPTIONS", "detect_leaks=0"}};
  const Ran seen = Ebb(status, unchecked);
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("did not answer within 2s"));
  Words collect = {"collect", "--yes"};
  collect.insert(collect.end(), more.begin(), more.end());
  const Ran ran = Ebb(collect, unchecked);
  EXPECT_THAT(ran.err + ran.out, HasSubstr("did not answer")) << ran.code;
  EXPECT_TRUE(node.Has(idle));
}

TEST_F(Cli, ARuntimeThatHangsExitsWithFour) {
  server_->faults().Set("Version", {.kind = wire::Fault::Kind::kDrop});
  const Ran ran = Run({"status"});
  EXPECT_EQ(ran.code, 4) << ran.err;
}

TEST_F(Cli, ARuntimeThatDiesHalfWayExitsWithFourAndKeepsWhatWasDone) {
  node_.DieAfter(1);
  const Ran ran = CollectAll();
  EXPECT_EQ(ran.code, 4) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("removed"));
}

TEST_F(Cli, ImagesOfAnotherRuntimeThanTheContainersAreADoubtAndNothingGoes) {
  testing::FakeNode other(WithStore(testing::Containerd17(), dir_.path()), clock_);
  const auto foreign = other.AddImage("registry.example/foreign:1", {100});
  auto server = wire::CriServer::Start(other, {.path = dir_ / "other.sock"});
  ASSERT_TRUE(server.ok());
  const Ran ran = CollectAll({"--image-endpoint", (*server)->endpoint()});
  EXPECT_EQ(ran.code, 5) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("another runtime"));
  EXPECT_TRUE(other.Has(foreign));
}

TEST_F(Cli, WithoutAWritableStateDirectoryItWorksAndSaysWhatItCannotKnow) {
  std::ofstream(dir_ / "state") << "not a directory";
  const Ran ran = Run({"images"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("usage history is not written"));
  EXPECT_THAT(ran.err, HasSubstr("known only since this program started"));
}

TEST_F(Cli, ASecondCollectNamesTheHolderOfTheLock) {
  server_->faults().Set("RemoveImage",
                        {.kind = wire::Fault::Kind::kDelay, .delay = std::chrono::seconds(3)});
  RunningEbb first(CollectLine());
  while (node_.asked().empty() && !std::filesystem::exists(dir_ / "state/lock")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Ran second = CollectAll();
  EXPECT_EQ(second.code, 5) << second.out << second.err;
  EXPECT_THAT(second.err, HasSubstr("lock"));
  EXPECT_EQ(first.Wait().code, 0);
}

TEST_F(Cli, KilledInTheMiddleOfARemovalTheNextRunSaysSoAndCompletes) {
  std::atomic<bool> reached = false;
  std::atomic<bool> released = false;
  node_.before_remove = [&](const std::string&) {
    reached = true;
    while (!released) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  {
    RunningEbb killed(CollectLine());
    while (!reached) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    killed.Signal(SIGKILL);
    EXPECT_EQ(killed.Wait().code, 128 + SIGKILL);
  }
  // The runtime may or may not carry out what it had begun: the listing tells.
  released = true;
  const Ran next = CollectAll();
  EXPECT_EQ(next.code, 0) << next.out << next.err;
  EXPECT_THAT(next.err, HasSubstr("cut off"));
  EXPECT_EQ(IdleLeft(), 0U);
  EXPECT_THAT(CollectAll().err, Not(HasSubstr("cut off"))) << "told once";
}

}  // namespace
}  // namespace ebb::cli
