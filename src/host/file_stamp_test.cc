#include "host/file_stamp.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

TEST(FileStamp, StaysAsLongAsNobodyTouchesTheFile) {
  const testing::TempDir dir;
  std::ofstream(dir / "file") << "one";
  EXPECT_EQ(StampOf(dir / "file"), StampOf(dir / "file"));
  EXPECT_NE(StampOf(dir / "file"), FileStamp{});
}

TEST(FileStamp, ChangesWhenAnotherFileTakesItsPlace) {
  const testing::TempDir dir;
  std::ofstream(dir / "file") << "one";
  std::ofstream(dir / "new") << "two";
  const FileStamp before = StampOf(dir / "file");
  std::filesystem::rename(dir / "new", dir / "file");
  EXPECT_NE(StampOf(dir / "file"), before);
}

TEST(FileStamp, ChangesWhenALinkOnTheWayIsSwapped) {
  const testing::TempDir dir;
  for (const char* const version : {"v1", "v2"}) {
    std::filesystem::create_directory(dir / version);
    std::ofstream((dir / version) / "config.yaml") << version;
  }
  std::filesystem::create_symlink("v1", dir / "data");
  const std::string path = (dir / "data") / "config.yaml";
  const FileStamp before = StampOf(path);
  std::filesystem::create_symlink("v2", dir / "data.new");
  std::filesystem::rename(dir / "data.new", dir / "data");
  EXPECT_NE(StampOf(path), before);
}

TEST(FileStamp, AFileThatIsNotThereHasNone) {
  EXPECT_EQ(StampOf("/no/such/file"), FileStamp{});
}

}  // namespace
}  // namespace ebb::host
