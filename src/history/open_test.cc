#include "history/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "history/history.h"
#include "history/schema.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The exit status of `body`, run in a process of its own.
template <class Body>
int InChild(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string Content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Overwrite(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

image::UsageRecord Record(const std::string& id) {
  return {.id = {id}, .name = "name of " + id};
}

// One record "a", closed again.
void MakeHistory(const fs::path& directory) {
  const auto history = SqliteHistory::Open({.directory = directory});
  ASSERT_TRUE(history.ok()) << history.error().message;
  const std::vector<image::UsageRecord> records = {Record("a")};
  ASSERT_TRUE((*history)->Save(records).ok());
}

std::vector<std::string> FilesLike(const fs::path& directory, std::string_view part) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (name.find(part) != std::string::npos) names.push_back(name);
  }
  return names;
}

TEST(OpenHistory, CreatesAMissingDirectoryForItselfOnly) {
  const testing::TempDir dir;
  MakeHistory(dir / "a/b");
  struct stat status{};
  ASSERT_EQ(::stat((dir / "a/b").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  EXPECT_TRUE(fs::exists(dir / "a/b/history.db"));
}

TEST(OpenHistory, SaysWhatCannotBeKnownWithoutAWritableDirectory) {
  const testing::TempDir dir;
  Overwrite(dir / "file", "x");
  const auto history = SqliteHistory::Open({.directory = dir / "file"});
  ASSERT_FALSE(history.ok());
  EXPECT_THAT(history.error().message, HasSubstr((dir / "file/history.db").string()));
  EXPECT_THAT(history.error().message, HasSubstr("Not a directory"));
  EXPECT_THAT(history.error().message, HasSubstr("first seen and last used"));
}

TEST(OpenHistory, AnUnwritableDirectoryIsAnErrorForANonRootUser) {
  const testing::TempDir dir;
  fs::create_directory(dir / "state");
  ASSERT_EQ(::chmod(dir.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((dir / "state").c_str(), 0555), 0);
  const int status = InChild([&] {
    if (::getuid() == 0 && ::setuid(65534) != 0) return 9;
    const auto history = SqliteHistory::Open({.directory = dir / "state"});
    return history.ok() ? 1 : 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_THAT(FilesLike(dir / "state", ""), IsEmpty());
}

TEST(OpenHistory, SetsADamagedFileAsideWithAllItsPartsAndStartsAnew) {
  const testing::TempDir dir;
  const std::string garbage(5000, 'g');
  Overwrite(dir / "history.db", garbage);
  Overwrite(dir / "history.db-wal", "w");
  const auto history = SqliteHistory::Open({.directory = dir.path()});
  ASSERT_TRUE(history.ok()) << history.error().message;
  EXPECT_THAT(*(*history)->Load(), IsEmpty());
  ASSERT_THAT((*history)->notes(), SizeIs(1));
  const std::string kept = "history.db.corrupt-";
  EXPECT_THAT((*history)->notes().front(), HasSubstr(kept));
  const auto aside = FilesLike(dir.path(), kept);
  ASSERT_THAT(aside, SizeIs(::testing::Ge(2)));
  const std::string name = std::ranges::min(aside);
  EXPECT_EQ(Content(dir / name), garbage);
  EXPECT_EQ(Content(dir / (name + "-wal")), "w");
  EXPECT_TRUE((*history)->Save(std::vector{Record("b")}).ok());
}

TEST(OpenHistory, NoticesPagesThatWereOverwritten) {
  const testing::TempDir dir;
  MakeHistory(dir.path());
  std::string content = Content(dir / "history.db");
  ASSERT_GT(content.size(), 8192U);
  std::fill(content.begin() + 4096, content.end(), '\x5a');
  Overwrite(dir / "history.db", content);
  const auto history = SqliteHistory::Open({.directory = dir.path()});
  ASSERT_TRUE(history.ok()) << history.error().message;
  EXPECT_THAT((*history)->notes(), SizeIs(1));
  EXPECT_THAT(*(*history)->Load(), IsEmpty());
}

TEST(OpenHistory, TwoDamagedFilesInOneSecondAreBothKept) {
  const testing::TempDir dir;
  for (const char* const garbage : {"first garbage", "second garbage", "third garbage"}) {
    for (const auto& name : FilesLike(dir.path(), "history.db")) {
      if (name.find("corrupt") == std::string::npos) fs::remove(dir / name);
    }
    Overwrite(dir / "history.db", std::string(1000, '#') + garbage);
    ASSERT_TRUE(SqliteHistory::Open({.directory = dir.path()}).ok());
  }
  int kept = 0;
  for (const auto& name : FilesLike(dir.path(), "corrupt-")) {
    if (Content(dir / name).find("garbage") != std::string::npos) ++kept;
  }
  EXPECT_EQ(kept, 3);
}

TEST(OpenHistory, NeverTouchesAFileOfANewerSchema) {
  const testing::TempDir dir;
  MakeHistory(dir.path());
  {
    auto file = Database::Open(dir / "history.db", Database::Access::kReadWrite, {});
    ASSERT_TRUE(file.ok());
    file->KeepWal();
    file->CheckpointOnClose(false);
    ASSERT_TRUE(file->Execute("PRAGMA user_version = 7").ok());
  }
  const std::string before = Content(dir / "history.db");
  const std::string wal_before = Content(dir / "history.db-wal");
  ASSERT_FALSE(wal_before.empty());
  for (const auto access : {Database::Access::kReadWrite, Database::Access::kReadOnly}) {
    const auto history = SqliteHistory::Open({.directory = dir.path(), .access = access});
    ASSERT_FALSE(history.ok());
    EXPECT_EQ(history.error().code, base::ErrorCode::kRefused);
    EXPECT_THAT(history.error().message, HasSubstr("schema 7"));
    EXPECT_THAT(history.error().message, HasSubstr("knows " + std::to_string(kSchemaVersion)));
    EXPECT_THAT(history.error().message, HasSubstr("upgrade ebb"));
  }
  EXPECT_EQ(Content(dir / "history.db"), before);
  EXPECT_EQ(Content(dir / "history.db-wal"), wal_before);
  EXPECT_THAT(FilesLike(dir.path(), "corrupt"), IsEmpty());
}

TEST(OpenHistory, LeavesTheDatabaseOfAnotherProgramAlone) {
  const testing::TempDir dir;
  {
    auto file = Database::Open(dir / "history.db", Database::Access::kReadWrite, {});
    ASSERT_TRUE(file.ok() && file->Execute("CREATE TABLE theirs(x)").ok());
  }
  const std::string before = Content(dir / "history.db");
  const auto history = SqliteHistory::Open({.directory = dir.path()});
  ASSERT_FALSE(history.ok());
  EXPECT_EQ(history.error().code, base::ErrorCode::kRefused);
  EXPECT_EQ(Content(dir / "history.db"), before);
}

TEST(OpenHistory, ReadsWithoutTheRightToWrite) {
  const testing::TempDir dir;
  MakeHistory(dir / "state");
  ASSERT_EQ(::chmod(dir.path().c_str(), 0755), 0);
  for (const auto& name : FilesLike(dir / "state", "")) {
    ASSERT_EQ(::chmod((dir / ("state/" + name)).c_str(), 0444), 0);
  }
  ASSERT_EQ(::chmod((dir / "state").c_str(), 0555), 0);
  const int status = InChild([&] {
    if (::getuid() == 0 && ::setuid(65534) != 0) return 9;
    const auto history =
        SqliteHistory::Open({.directory = dir / "state", .access = Database::Access::kReadOnly});
    if (!history.ok()) return 1;
    const auto records = (*history)->Load();
    if (!records.ok() || records->size() != 1) return 2;
    return (*history)->Save(std::vector{Record("b")}).ok() ? 3 : 0;
  });
  ASSERT_EQ(::chmod((dir / "state").c_str(), 0755), 0);
  EXPECT_EQ(status, 0);
}

TEST(OpenHistory, ADamagedFileThatMayOnlyBeReadIsAnErrorAndStaysWhereItIs) {
  const testing::TempDir dir;
  Overwrite(dir / "history.db", std::string(5000, 'g'));
  const auto history =
      SqliteHistory::Open({.directory = dir.path(), .access = Database::Access::kReadOnly});
  ASSERT_FALSE(history.ok());
  EXPECT_NE(history.error().code, base::ErrorCode::kNotFound);
  EXPECT_THAT(history.error().message, HasSubstr((dir / "history.db").string()));
  EXPECT_THAT(FilesLike(dir.path(), "corrupt"), IsEmpty());
}

TEST(OpenHistory, ForReadingOnlyCreatesNothing) {
  const testing::TempDir dir;
  const auto history =
      SqliteHistory::Open({.directory = dir / "none", .access = Database::Access::kReadOnly});
  ASSERT_FALSE(history.ok());
  EXPECT_EQ(history.error().code, base::ErrorCode::kNotFound);
  EXPECT_THAT(history.error().message, HasSubstr("nothing has been recorded yet"));
  EXPECT_FALSE(fs::exists(dir / "none"));
}

}  // namespace
}  // namespace ebb::history
