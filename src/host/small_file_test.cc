#include "host/small_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::HasSubstr;

void Write(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

TEST(SmallFile, ReadsUpToOneMebibyte) {
  const testing::TempDir dir;
  for (const std::size_t size : {std::size_t{0}, std::size_t{5000}, kMaxSmallFile}) {
    const std::string content(size, 'c');
    Write(dir / "file", content);
    const auto read = ReadSmallFile(dir / "file");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, content);
  }
  Write(dir / "file", std::string(kMaxSmallFile + 1, 'c'));
  EXPECT_THAT(ReadSmallFile(dir / "file").error().message, HasSubstr("larger than 1 MiB"));
}

TEST(SmallFile, ReadsFilesThatSayTheyAreEmpty) {
  const auto read = ReadSmallFile("/proc/self/status");
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(*read, HasSubstr("Pid:"));
}

TEST(SmallFile, SaysWhichFileIsMissing) {
  const auto read = ReadSmallFile("/nowhere/file");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, base::ErrorCode::kNotFound);
  EXPECT_THAT(read.error().message, HasSubstr("/nowhere/file"));
}

TEST(SmallFile, NeverWaitsForAPipeOrReadsADevice) {
  const testing::TempDir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(ReadSmallFile(dir / "pipe").error().message, HasSubstr("not a regular file"));
  EXPECT_FALSE(ReadSmallFile("/dev/zero").ok());
  EXPECT_FALSE(ReadSmallFile(dir.path()).ok());
}

TEST(SmallFile, FollowsSymlinksOnlyIfAllowed) {
  const testing::TempDir dir;
  Write(dir / "file", "content");
  std::filesystem::create_symlink("file", dir / "link");
  EXPECT_TRUE(ReadSmallFile(dir / "link").ok());
  EXPECT_FALSE(ReadSmallFile(dir / "link", Symlinks::kRefuse).ok());
}

}  // namespace
}  // namespace ebb::host
