#include "containerd/disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::containerd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::int64_t Allocated(const std::filesystem::path& path) {
  struct stat info{};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return std::int64_t{info.st_blocks} * 512;
}

TEST(Disk, FoldersOfALayerTakeWhatTheFilesystemSays) {
  const testing::TempDir root;
  const auto layer = root / "snapshots" / "7";
  std::filesystem::create_directories(layer / "work");
  std::filesystem::create_directories(root / "snapshots" / "8");
  const DiskFacts facts = LookAtDisk(root / ".", root / ".");
  EXPECT_EQ(facts.layer_folders.count, Allocated(layer) + Allocated(layer / "work"));
  struct statvfs info{};
  ASSERT_EQ(::statvfs((root / ".").c_str(), &info), 0);
  EXPECT_EQ(facts.block.count, static_cast<std::int64_t>(info.f_frsize));
  EXPECT_THAT(facts.doubts, IsEmpty());
}

TEST(Disk, BlobsAndLayersOnTwoFilesystemsAreToldOf) {
  const testing::TempDir root;
  EXPECT_THAT(LookAtDisk(root / ".", "/proc").doubts,
              ElementsAre(HasSubstr("lie on different filesystems")));
  EXPECT_THAT(LookAtDisk(root / ".", "").doubts, IsEmpty());
}

TEST(Disk, AViewIsNoLayer) {
  const testing::TempDir root;
  std::filesystem::create_directories(root / "snapshots" / "1" / "fs");
  EXPECT_EQ(LookAtDisk("", root / ".").layer_folders.count, 8192);
}

TEST(Disk, WithoutLayersLeavesNothingInDoubt) {
  const testing::TempDir root;
  EXPECT_THAT(LookAtDisk(root / ".", root / ".").doubts, IsEmpty());
  EXPECT_THAT(LookAtDisk("", "").doubts, IsEmpty());
}

TEST(Disk, ABlobTakesWhatItsFileTakesAndNotWhatItIsLong) {
  const testing::TempDir root;
  std::filesystem::create_directories(root / "blobs" / "sha256");
  const auto file = root / "blobs" / "sha256" / "12";
  std::ofstream(file) << "text";
  std::filesystem::resize_file(file, 1 << 20);
  EXPECT_EQ(BlobOnDisk(root / ".", "sha256:12")->count, Allocated(file));
  EXPECT_LT(Allocated(file), 1 << 20);
  EXPECT_FALSE(BlobOnDisk(root / ".", "sha256:34").has_value());
  EXPECT_FALSE(BlobOnDisk(root / ".", "nonsense").has_value());
}

TEST(Disk, ThatCannotBeLookedAtIsNamedAndTakenForExt4) {
  const testing::TempDir root;
  const DiskFacts facts = LookAtDisk(root / "gone", "");
  EXPECT_EQ(facts.block.count, 4096);
  EXPECT_THAT(facts.doubts, ElementsAre(HasSubstr("gone (No such file or directory)")));
}

}  // namespace
}  // namespace ebb::containerd
