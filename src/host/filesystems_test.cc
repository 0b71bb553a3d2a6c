#include "host/filesystems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <latch>
#include <memory>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

RawFilesystem Raw() {
  return {.path = "/var/lib/containerd",
          .device_major = 259,
          .device_minor = 4,
          .fragment_size = 4096,
          .blocks = 1000,
          .blocks_available = 150,
          .inodes = 500,
          .inodes_free = 400};
}

TEST(Filesystems, ConvertsFragmentsToBytes) {
  const auto fs = ToFilesystem("/run/x", Raw());
  EXPECT_EQ(fs.mountpoint, "/run/x");
  EXPECT_EQ(fs.path, "/var/lib/containerd");
  EXPECT_EQ(fs.device, "259:4");
  EXPECT_EQ(fs.capacity.count, 4'096'000);
  EXPECT_EQ(fs.available.count, 614'400);
  EXPECT_EQ(fs.inodes, 500);
  EXPECT_EQ(fs.inodes_free, 400);
  EXPECT_THAT(fs.problem, IsEmpty());
  EXPECT_TRUE(fs.measured());
}

TEST(Filesystems, ACapacityOfZeroIsAProblem) {
  RawFilesystem raw = Raw();
  raw.blocks = 0;
  const auto fs = ToFilesystem("/x", raw);
  EXPECT_EQ(fs.problem, "reports a capacity of 0");
  EXPECT_FALSE(fs.measured());
}

TEST(Filesystems, MoreAvailableThanThereIsBecomesAllOfIt) {
  RawFilesystem raw = Raw();
  raw.blocks_available = std::numeric_limits<std::uint64_t>::max();
  const auto fs = ToFilesystem("/x", raw);
  EXPECT_EQ(fs.available, fs.capacity);
  EXPECT_TRUE(fs.measured());
}

TEST(Filesystems, AnImpossibleSizeIsAProblem) {
  RawFilesystem raw = Raw();
  raw.blocks = std::numeric_limits<std::uint64_t>::max() / 2;
  const auto fs = ToFilesystem("/x", raw);
  EXPECT_EQ(fs.problem, "reports an impossible size");
  EXPECT_FALSE(fs.measured());
}

TEST(Filesystems, MeasuresTheRealOneThroughASymlink) {
  const testing::TempDir dir;
  const auto real = std::filesystem::canonical(dir.path());
  std::filesystem::create_directory(real / "store");
  std::filesystem::create_symlink("store", real / "link");
  SystemFilesystems filesystems;
  const auto fs = filesystems.Measure(real / "link");
  struct statvfs numbers{};
  struct stat status{};
  ASSERT_EQ(::statvfs(real.c_str(), &numbers), 0);
  ASSERT_EQ(::stat(real.c_str(), &status), 0);
  EXPECT_THAT(fs.problem, IsEmpty());
  EXPECT_EQ(fs.mountpoint, real / "link");
  EXPECT_EQ(fs.path, real / "store");
  EXPECT_EQ(fs.device, std::to_string(gnu_dev_major(status.st_dev)) + ":" +
                           std::to_string(gnu_dev_minor(status.st_dev)));
  EXPECT_EQ(fs.capacity.count, static_cast<std::int64_t>(numbers.f_frsize * numbers.f_blocks));
  EXPECT_LE(fs.available, fs.capacity);
}

TEST(Filesystems, APathThatIsNotThereIsAProblem) {
  SystemFilesystems filesystems;
  const auto fs = filesystems.Measure("/nowhere/at/all");
  EXPECT_THAT(fs.problem, HasSubstr("No such file"));
  EXPECT_EQ(fs.mountpoint, "/nowhere/at/all");
}

TEST(Filesystems, OneThatDoesNotAnswerHoldsNobodyUp) {
  // Owned by the waiting thread too, which may end after this test.
  const auto answer = std::make_shared<std::latch>(1);
  const auto probe = [=](const std::string& path) -> base::Result<RawFilesystem> {
    if (path == "/dead") answer->wait();
    return Raw();
  };
  SystemFilesystems filesystems(probe, std::chrono::milliseconds(20));
  EXPECT_EQ(filesystems.Measure("/dead").problem, "did not answer within 0.02s");
  EXPECT_EQ(filesystems.Measure("/dead").problem, "still does not answer");
  EXPECT_THAT(SystemFilesystems(probe).Measure("/alive").problem, IsEmpty());
  answer->count_down();
}

TEST(Filesystems, AskIsRepeatedOnceTheLateAnswerCame) {
  const auto answer = std::make_shared<std::latch>(1);
  SystemFilesystems filesystems(
      [=](const std::string&) -> base::Result<RawFilesystem> {
        answer->wait();
        return Raw();
      },
      std::chrono::milliseconds(20));
  EXPECT_FALSE(filesystems.Measure("/slow").measured());
  answer->count_down();
  while (!filesystems.Measure("/slow").measured()) {
  }
}

}  // namespace
}  // namespace ebb::host
