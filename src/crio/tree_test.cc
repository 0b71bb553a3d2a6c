#include "crio/tree.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::crio {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::int64_t Allocated(const fs::path& path) {
  struct stat info{};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return std::int64_t{info.st_blocks} * 512;
}

TreeUsage Measured(const fs::path& path) {
  const auto usage = MeasureTree(AT_FDCWD, path);
  EXPECT_TRUE(usage.ok()) << usage.error().message;
  return usage.ok() ? *usage : TreeUsage{};
}

TEST(Tree, IsAllItsBlocksAndItsFolders) {
  const testing::TempDir root;
  fs::create_directories(root / "t" / "a" / "b");
  std::ofstream(root / "t" / "a" / "one") << std::string(5000, 'x');
  std::ofstream(root / "t" / "a" / "b" / "two") << "text";
  fs::resize_file(root / "t" / "a" / "b" / "two", 1 << 20);
  const TreeUsage usage = Measured(root / "t");
  std::int64_t expected = Allocated(root / "t");
  for (const auto& entry : fs::recursive_directory_iterator(root / "t")) {
    expected += Allocated(entry.path());
  }
  EXPECT_EQ(usage.disk.count, expected) << "holes take nothing";
  EXPECT_LT(usage.disk.count, 1 << 20);
  EXPECT_FALSE(usage.linked);
  EXPECT_FALSE(usage.mounted);
}

TEST(Tree, CountsAFileWithSeveralNamesOnce) {
  const testing::TempDir root;
  fs::create_directories(root / "t");
  std::ofstream(root / "t" / "one") << std::string(5000, 'x');
  const std::int64_t once = Measured(root / "t").disk.count;
  fs::create_hard_link(root / "t" / "one", root / "t" / "two");
  EXPECT_EQ(Measured(root / "t").disk.count, once);
  EXPECT_FALSE(Measured(root / "t").linked);
  fs::create_hard_link(root / "t" / "one", root / "three");
  EXPECT_EQ(Measured(root / "t").disk.count, once);
  EXPECT_TRUE(Measured(root / "t").linked);
}

TEST(Tree, DoesNotFollowLinks) {
  const testing::TempDir root;
  fs::create_directories(root / "t");
  fs::create_directory_symlink("/", root / "t" / "link");
  EXPECT_EQ(Measured(root / "t").disk.count, Allocated(root / "t") + Allocated(root / "t/link"));
  EXPECT_EQ(Measured(root / "t/link").disk.count, Allocated(root / "t/link"));
}

TEST(Tree, MayBeOneFile) {
  const testing::TempDir root;
  std::ofstream(root / "one") << std::string(5000, 'x');
  EXPECT_EQ(Measured(root / "one").disk.count, Allocated(root / "one"));
}

TEST(Tree, ThatIsNotThereIsNotFound) {
  const testing::TempDir root;
  const auto usage = MeasureTree(AT_FDCWD, root / "gone");
  ASSERT_FALSE(usage.ok());
  EXPECT_EQ(usage.error().code, base::ErrorCode::kNotFound);
  EXPECT_THAT(usage.error().message, HasSubstr("gone: No such file"));
}

TEST(Tree, ThatIsDeeperThanAnyLayerIsAnErrorAndNotTheEndOfUs) {
  const testing::TempDir root;
  fs::path path = root / "t";
  for (int i = 0; i < 600; ++i) path /= "d";
  fs::create_directories(path);
  const auto usage = MeasureTree(AT_FDCWD, root / "t");
  ASSERT_FALSE(usage.ok());
  EXPECT_EQ(usage.error().code, base::ErrorCode::kInternal);
  EXPECT_THAT(usage.error().message, HasSubstr("too deep"));
}

}  // namespace
}  // namespace ebb::crio
