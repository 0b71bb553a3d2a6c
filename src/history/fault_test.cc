// What happens to the history when the disk is full, a lock is held or the process dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "history/history.h"
#include "testing/ci.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr auto kShort = std::chrono::milliseconds(20);

std::unique_ptr<SqliteHistory> MustOpen(const fs::path& directory,
                                        base::Duration busy_timeout = std::chrono::seconds(30)) {
  auto history = SqliteHistory::Open({.directory = directory, .busy_timeout = busy_timeout});
  if (!history.ok()) {
    ADD_FAILURE() << history.error().message;
    std::abort();
  }
  return std::move(*history);
}

std::vector<image::UsageRecord> Records(int count, const std::string& prefix = "id") {
  std::vector<image::UsageRecord> records(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].id.value = prefix + std::to_string(i);
    records[i].name = std::string(200, 'n');
    records[i].present = true;
  }
  return records;
}

// Runs `body` in a process of its own, which then dies by SIGKILL.
template <class Body>
void InChildThatIsKilled(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    (void)::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(History, SurvivesAKillBetweenIntentAndOutcome) {
  const testing::TempDir dir;
  InChildThatIsKilled([&] {
    const auto history = MustOpen(dir.path());
    (void)history->Save(Records(3));
    (void)history->Begin({.run = 5, .time = {}, .ids = {{"a"}, {"b"}}});
  });
  auto history = MustOpen(dir.path());
  EXPECT_EQ(history->Load()->size(), 3U);
  const auto unfinished = history->Unfinished();
  ASSERT_TRUE(unfinished.ok());
  ASSERT_EQ(unfinished->size(), 1U);
  EXPECT_EQ(unfinished->front().run, 5);
  EXPECT_THAT(unfinished->front().ids, ElementsAre(image::ImageId{"a"}, image::ImageId{"b"}));
  ASSERT_TRUE(history->Finish(unfinished->front().batch, {}).ok());
  history = MustOpen(dir.path());
  EXPECT_THAT(*history->Unfinished(), IsEmpty());
}

TEST(History, AKillInTheMiddleOfAWriteLeavesTheStateBefore) {
  const testing::TempDir dir;
  {
    (void)MustOpen(dir.path())->Save(Records(2));
  }
  InChildThatIsKilled([&] {
    auto file = Database::Open(dir / "history.db", Database::Access::kReadWrite, kShort);
    // A cache of one page makes SQLite write parts of the transaction early.
    (void)file->Execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM usage");
    (void)file->Execute("INSERT INTO facts VALUES(1, zeroblob(90), zeroblob(500000))");
  });
  const auto history = MustOpen(dir.path());
  EXPECT_THAT(history->notes(), IsEmpty());
  EXPECT_EQ(history->Load()->size(), 2U);
  EXPECT_TRUE(history->Save(Records(4)).ok());
}

TEST(History, TwoProcessesWriteAtOnce) {
  const testing::TempDir dir;
  std::vector<pid_t> children;
  for (const char* const prefix : {"left", "right"}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto history = MustOpen(dir.path());
      bool good = true;
      for (int n = 1; n <= 50; ++n) good = good && history->Save(Records(n, prefix)).ok();
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(MustOpen(dir.path())->Load()->size(), 100U);
}

TEST(History, ALockHeldTooLongIsAnErrorAndNothingIsLost) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path(), kShort);
  ASSERT_TRUE(history->Save(Records(1)).ok());
  const auto batch = history->Begin({.ids = {{"a"}}});
  ASSERT_TRUE(batch.ok());
  auto other = Database::Open(dir / "history.db", Database::Access::kReadWrite, kShort);
  ASSERT_TRUE(other.ok());
  {
    const auto held = Transaction::Begin(*other);
    ASSERT_TRUE(held.ok());
    const auto saved = history->Save(Records(3));
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error().message, HasSubstr("locked by another process"));
    EXPECT_THAT(saved.error().message, HasSubstr((dir / "history.db").string()));
    EXPECT_FALSE(history->Begin({.ids = {{"b"}}}).ok()) << "an intent must not be kept in memory";
    EXPECT_FALSE(history->Finish(*batch, {}).ok());
    EXPECT_EQ(history->Load()->size(), 3U);
    EXPECT_THAT(*history->Unfinished(), IsEmpty());
    EXPECT_EQ(MustOpen(dir.path(), kShort)->Load()->size(), 1U);
  }
  EXPECT_TRUE(history->Save({}).ok());
  EXPECT_EQ(MustOpen(dir.path())->Load()->size(), 3U);
  EXPECT_THAT(*MustOpen(dir.path())->Unfinished(), IsEmpty());
}

// No file of this process may grow beyond `bytes` while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    (void)::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    (void)::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    (void)::setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(History, AFileThatCannotGrowLosesNothing) {
  const testing::TempDir dir;
  auto history = MustOpen(dir.path());
  ASSERT_TRUE(history->Save(Records(10)).ok());
  {
    const FileSizeLimit limit(fs::file_size(dir / "history.db-wal"));
    const auto saved = history->Save(Records(500));
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error().message, HasSubstr("disk I/O error"));
    EXPECT_EQ(history->Load()->size(), 500U) << "what could not be written is known all the same";
    EXPECT_EQ(MustOpen(dir.path())->Load()->size(), 10U);
  }
  EXPECT_TRUE(history->RecordRun({}, {}).ok());
  history = MustOpen(dir.path());
  EXPECT_THAT(history->notes(), IsEmpty());
  EXPECT_EQ(history->Load()->size(), 500U);
}

// A small filesystem in a mount namespace of this process: however the test ends, it is gone.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& path) : path_(path) {
    fs::create_directory(path_);
    mounted_ = ::unshare(CLONE_NEWNS) == 0 &&
               ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("none", path_.c_str(), "tmpfs", 0, "size=512k") == 0;
    if (!mounted_)
      problem_ = "no filesystem can be mounted here: " + std::generic_category().message(errno);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) (void)::umount2(path_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  const std::string& problem() const { return problem_; }

  void Fill() const {
    std::ofstream file(path_ / "ballast");
    const std::string page(4096, 'b');
    while (file.write(page.data(), 4096).flush()) {
    }
  }

 private:
  fs::path path_;
  bool mounted_ = false;
  std::string problem_;
};

const base::TimePoint kSome = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

image::Observation Seeing(const std::string& id) {
  image::Observation seen;
  seen.images = {{.id = {id}}};
  return seen;
}

image::Report FailedRemoval() {
  image::Report report;
  report.started = report.finished = kSome;
  report.plan.verdicts = {{.image = 0, .remove = true}};
  report.removals = {{.image = 0, .outcome = image::Outcome::kFailed}};
  report.ending = image::Ending::kNotReached;
  return report;
}

TEST(History, AFullDiskStopsWritesButNotReads) {
  const testing::TempDir dir;
  const SmallDisk disk(dir / "disk");
  if (!disk.mounted()) {
    ASSERT_FALSE(testing::InCi()) << disk.problem();
    GTEST_SKIP() << disk.problem();
  }
  const fs::path state = dir / "disk/state";
  {
    ASSERT_TRUE(MustOpen(state)->Save(Records(10)).ok());
  }
  disk.Fill();
  auto history = MustOpen(state);
  EXPECT_EQ(history->Load()->size(), 10U);
  const auto saved = history->Save(Records(50));
  ASSERT_FALSE(saved.ok());
  EXPECT_THAT(saved.error().message, HasSubstr("the disk is full"));
  EXPECT_FALSE(history->Begin({.ids = {{"a"}}}).ok());
  EXPECT_EQ(history->Load()->size(), 50U);
  EXPECT_FALSE(history->SaveSample({.mountpoint = "/m", .capacity = {9}}, kSome).ok());
  EXPECT_FALSE(history->Remember("key", "value").ok());
  EXPECT_FALSE(history->RecordRun(FailedRemoval(), Seeing("x")).ok());
  EXPECT_THAT(*history->Samples("/m", {}), SizeIs(1)) << "it is known all the same";
  EXPECT_THAT(*history->Recall("key"), Optional(std::string("value")));
  EXPECT_EQ(history->Setbacks()->at("x").count, 1) << "what fails is not tried in every round";
  fs::remove(dir / "disk/ballast");
  EXPECT_TRUE(history->Save({}).ok());
  history = MustOpen(state);
  EXPECT_THAT(history->notes(), IsEmpty());
  EXPECT_EQ(history->Load()->size(), 50U);
  EXPECT_THAT(*history->Samples("/m", {}), SizeIs(1));
  EXPECT_THAT(*history->Recall("key"), Optional(std::string("value")));
  EXPECT_THAT(*history->Runs({}), SizeIs(1));
  EXPECT_EQ(history->Setbacks()->at("x").count, 1);
}

TEST(History, CannotStartOnAFullDiskAndSaysSo) {
  const testing::TempDir dir;
  const SmallDisk disk(dir / "disk");
  if (!disk.mounted()) {
    ASSERT_FALSE(testing::InCi()) << disk.problem();
    GTEST_SKIP() << disk.problem();
  }
  disk.Fill();
  const auto history = SqliteHistory::Open({.directory = dir / "disk"});
  ASSERT_FALSE(history.ok());
  EXPECT_THAT(history.error().message, HasSubstr("disk is full"));
  fs::remove(dir / "disk/ballast");
  EXPECT_THAT(MustOpen(dir / "disk")->notes(), IsEmpty());
}

}  // namespace
}  // namespace ebb::history
