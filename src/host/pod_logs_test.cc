#include "host/pod_logs.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "testing/ci.h"
#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using image::LogEntry;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Every promise holds whichever way a step down is taken.
class Logs : public ::testing::TestWithParam<Step> {
 protected:
  Logs() {
    fs::create_directories(Pods());
    fs::create_directories(dir_ / "containers");
    fs::create_directories(dir_ / "elsewhere");
    Write(dir_ / "elsewhere" / "precious");
  }

  fs::path Pods() const { return dir_ / "pods"; }
  static void Write(const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "log";
  }
  PodLogs Make() const { return PodLogs({Pods(), dir_ / "containers", GetParam()}); }
  static std::vector<std::string> Names(const std::vector<LogEntry>& entries) {
    std::vector<std::string> names;
    names.reserve(entries.size());
    for (const LogEntry& entry : entries) names.push_back(entry.name);
    return names;
  }
  // As List() would give it, whatever it is.
  LogEntry Entry(const std::string& name) const {
    LogEntry entry{LogEntry::Kind::kPodDirectory, name, base::kNever};
    struct stat status{};
    if (::lstat((Pods() / name).c_str(), &status) == 0) {
      entry.changed = base::TimePoint(std::chrono::seconds(status.st_mtim.tv_sec) +
                                      std::chrono::nanoseconds(status.st_mtim.tv_nsec));
    }
    return entry;
  }
  base::Status Remove(const std::string& name) const { return Make().Remove(Entry(name)); }
  bool PreciousIsThere() const { return fs::exists(dir_ / "elsewhere" / "precious"); }

  testing::TempDir dir_;
};

INSTANTIATE_TEST_SUITE_P(Steps, Logs, ::testing::Values(Step::kKernel, Step::kByHand),
                         [](const auto& step) {
                           return step.param == Step::kKernel ? "ByKernel" : "ByHand";
                         });

TEST_P(Logs, ListsDirectoriesOfPodsAndNothingElse) {
  Write(Pods() / "ns_a_uid" / "main" / "0.log");
  Write(Pods() / "file");
  fs::create_directory_symlink(dir_ / "elsewhere", Pods() / "ns_link_uid");
  const auto listed = Make().List();
  ASSERT_TRUE(listed.ok());
  ASSERT_THAT(Names(*listed), UnorderedElementsAre("ns_a_uid"));
  EXPECT_EQ(listed->front().changed, Entry("ns_a_uid").changed);
}

TEST_P(Logs, WithoutTheDirectoryThereIsNothing) {
  fs::remove_all(Pods());
  EXPECT_THAT(Make().List().value(), IsEmpty());
}

TEST_P(Logs, ListsLinksWhoseLogIsGone) {
  Write(Pods() / "ns_a_uid" / "main" / "0.log");
  const fs::path links = dir_ / "containers";
  fs::create_symlink(Pods() / "ns_a_uid/main/0.log", links / "there.log");
  fs::create_symlink(Pods() / "ns_a_uid/main/1.log", links / "no-file.log");
  fs::create_symlink(Pods() / "ns_b_uid/main/0.log", links / "no-directory.log");
  fs::create_symlink("/nowhere/x.log", links / "not-of-a-pod.log");
  fs::create_symlink(Pods() / "ns_a_uid/main/1.log", links / "other-name");
  fs::create_symlink(Pods().string() + "/../missing/x.log", links / "leads-out.log");
  // Docker's: what the log of the pod is a link to may be out of our sight.
  fs::create_symlink("/nowhere/docker.log", Pods() / "ns_a_uid/main/2.log");
  fs::create_symlink(Pods() / "ns_a_uid/main/2.log", links / "docker.log");
  Write(links / "file.log");
  EXPECT_THAT(Names(Make().List().value()),
              UnorderedElementsAre("ns_a_uid", "no-file.log", "no-directory.log"));
}

TEST_P(Logs, RemovesADirectoryWithAllThatIsInIt) {
  Write(Pods() / "ns_a_uid" / "main" / "0.log");
  Write(Pods() / "ns_a_uid" / "main" / "0.log.20261130-150405.gz");
  Write(Pods() / "ns_a_uid" / "side" / "0.log");
  Write(Pods() / "ns_b_uid" / "main" / "0.log");
  ASSERT_EQ(::mkfifo((Pods() / "ns_a_uid/main/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(Remove("ns_a_uid").ok());
  EXPECT_FALSE(fs::exists(Pods() / "ns_a_uid"));
  EXPECT_TRUE(fs::exists(Pods() / "ns_b_uid/main/0.log"));
}

TEST_P(Logs, NeverFollowsALink) {
  Write(Pods() / "ns_a_uid" / "main" / "0.log");
  fs::create_directory_symlink(dir_ / "elsewhere", Pods() / "ns_a_uid" / "trap");
  fs::create_symlink(dir_ / "elsewhere/precious", Pods() / "ns_a_uid/main/1.log");
  fs::create_directory_symlink(dir_ / "elsewhere", Pods() / "ns_b_uid");
  EXPECT_TRUE(Remove("ns_a_uid").ok());
  EXPECT_FALSE(fs::exists(Pods() / "ns_a_uid"));
  EXPECT_EQ(Remove("ns_b_uid").error().code, ErrorCode::kRefused);
  EXPECT_TRUE(PreciousIsThere());
}

TEST_P(Logs, NeverLeavesItsDirectory) {
  for (const char* name : {"..", ".", "", "/", "../elsewhere", "ns_a_uid/../../elsewhere"}) {
    EXPECT_FALSE(Remove(name).ok()) << name;
  }
  EXPECT_TRUE(PreciousIsThere());
}

TEST_P(Logs, LeavesADirectoryThatChangedSinceItWasListed) {
  Write(Pods() / "ns_a_uid" / "main" / "0.log");
  LogEntry entry = Entry("ns_a_uid");
  entry.changed -= std::chrono::seconds(1);
  EXPECT_EQ(Make().Remove(entry).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(fs::exists(Pods() / "ns_a_uid/main/0.log"));
}

TEST_P(Logs, SaysSoIfThereIsNone) {
  EXPECT_EQ(Remove("ns_a_uid").error().code, ErrorCode::kNotFound);
}

TEST_P(Logs, NeverEntersAnotherMount) {
  // In a mount namespace of its own, which ends with this process.
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    const std::string problem =
        "no mount namespace can be made here: " + std::generic_category().message(errno);
    ASSERT_FALSE(testing::InCi()) << problem;
    GTEST_SKIP() << problem;
  }
  const fs::path inside = Pods() / "ns_a_uid" / "volume";
  fs::create_directories(inside);
  Write(Pods() / "ns_a_uid" / "main" / "0.log");
  // Of the same filesystem, so that the device tells nothing.
  ASSERT_EQ(::mount((dir_ / "elsewhere").c_str(), inside.c_str(), nullptr, MS_BIND, nullptr), 0);
  const base::Status removed = Remove("ns_a_uid");
  EXPECT_TRUE(PreciousIsThere());
  EXPECT_EQ(::umount(inside.c_str()), 0);
  ASSERT_FALSE(removed.ok());
  EXPECT_THAT(removed.error().message, HasSubstr("another mount"));
}

TEST_P(Logs, RefusesATreeThatHasNoEnd) {
  fs::path deep = Pods() / "ns_a_uid";
  for (int i = 0; i < 30; ++i) deep /= "d";
  fs::create_directories(deep);
  EXPECT_EQ(Remove("ns_a_uid").error().code, ErrorCode::kRefused);
}

TEST_P(Logs, RemovesTheFilesOfOneContainerAndThoseTheyWereRotatedInto) {
  const fs::path main = Pods() / "ns_a_uid" / "main";
  for (const char* name : {"1.log", "1.log.20261130-150405", "1.log.20261130-150405.gz", "11.log",
                           "1.logs", "2.log"}) {
    Write(main / name);
  }
  EXPECT_TRUE(Make().RemoveFiles(main / "1.log").ok());
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(main)) left.push_back(entry.path().filename());
  EXPECT_THAT(left, UnorderedElementsAre("11.log", "1.logs", "2.log"));
  EXPECT_EQ(Make().RemoveFiles(main / "1.log").error().code, ErrorCode::kNotFound);
}

TEST_P(Logs, RemovesNoFileAnywhereElse) {
  fs::create_directory_symlink(dir_ / "elsewhere", Pods() / "link");
  const std::string out = Pods().string();
  for (const std::string& path : {(dir_ / "elsewhere/precious").string(), out + "/link/precious",
                                  out + "/../elsewhere/precious", out + "-other/main/precious",
                                  std::string(), out, out + "/"}) {
    EXPECT_FALSE(Make().RemoveFiles(path).ok()) << path;
  }
  EXPECT_TRUE(PreciousIsThere());
}

TEST_P(Logs, RemovesALinkAndNotWhatItPointsTo) {
  const fs::path link = dir_ / "containers" / "a.log";
  const LogEntry entry{LogEntry::Kind::kDanglingLink, "a.log", base::kNever};
  EXPECT_EQ(Make().Remove(entry).error().code, ErrorCode::kNotFound);
  fs::create_symlink(Pods() / "ns_a_uid/main/0.log", link);
  Write(Pods() / "ns_a_uid/main/0.log");
  EXPECT_EQ(Make().Remove(entry).error().code, ErrorCode::kConflict) << "it has a log";
  fs::remove_all(Pods() / "ns_a_uid");
  EXPECT_TRUE(Make().Remove(entry).ok());
  EXPECT_FALSE(fs::is_symlink(link));
}

}  // namespace
}  // namespace ebb::host
