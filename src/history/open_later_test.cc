// A history whose file cannot be opened at first: a full or read-only disk, a lock, another ebb's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "history/history.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const base::TimePoint kStart = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

class OpenLater : public ::testing::Test {
 protected:
  using History = std::unique_ptr<SqliteHistory>;

  // In the way of the state directory, until Free().
  void Block() { std::ofstream(directory_) << "no directory"; }
  void Free() { fs::remove(directory_); }
  History Open() const { return *SqliteHistory::Open({.directory = directory_}); }
  History Keep(base::Duration retry = {}) const {
    auto history = SqliteHistory::OpenOrKeep({.directory = directory_, .retry = retry});
    EXPECT_TRUE(history.ok()) << history.error().message;
    return std::move(*history);
  }
  static std::vector<image::UsageRecord> One(base::TimePoint first_seen, base::TimePoint used) {
    return {{.id = {"a"},
             .name = "registry.example/a:1",
             .usage = {.first_seen = first_seen, .last_used = used},
             .present = true}};
  }

  const testing::TempDir dir_;
  const std::string directory_ = dir_ / "state";
};

TEST_F(OpenLater, WhatIsRecordedIsKnownMeanwhileAndWrittenOnceItCanBe) {
  Block();
  const History history = Keep();
  const base::Status saved = history->Save(One(kStart, kStart));
  ASSERT_FALSE(saved.ok());
  EXPECT_THAT(saved.error().message, HasSubstr("Not a directory"));
  EXPECT_FALSE(history->Remember("key", "value").ok());
  EXPECT_FALSE(history->SaveSample({.mountpoint = "/", .capacity = {10}}, kStart).ok());
  EXPECT_EQ(history->Load()->at(0).usage.first_seen, kStart);
  EXPECT_EQ(*history->Recall("key"), "value");
  Free();
  EXPECT_TRUE(history->Save({}).ok());
  const History again = Open();
  EXPECT_EQ(again->Load()->at(0).usage.first_seen, kStart);
  EXPECT_EQ(*again->Recall("key"), "value");
  EXPECT_THAT(*again->Mountpoints(), ElementsAre("/"));
}

TEST_F(OpenLater, AgesInAFileThatCouldNotBeReadAreNotLost) {
  const auto day = std::chrono::hours(24);
  ASSERT_TRUE(Open()->Save(One(kStart, kStart + day)).ok());
  fs::rename(directory_, dir_ / "elsewhere");
  Block();
  const History history = Keep();
  (void)history->Save(One(kStart + 5 * day, kStart + 6 * day));
  Free();
  fs::rename(dir_ / "elsewhere", directory_);
  ASSERT_TRUE(history->Save({}).ok());
  const image::Usage usage = history->Load()->at(0).usage;
  EXPECT_EQ(usage.first_seen, kStart);
  EXPECT_EQ(usage.last_used, kStart + 6 * day);
}

TEST_F(OpenLater, ABatchIsNotBegunInMemoryForItsNumberWouldBeAnothers) {
  const History before = Open();
  ASSERT_TRUE(before->Begin({.run = 1, .time = kStart, .ids = {{"a"}}}).ok());
  fs::rename(directory_, dir_ / "elsewhere");
  Block();
  const History history = Keep();
  EXPECT_FALSE(history->Begin({.run = 2, .time = kStart, .ids = {{"b"}}}).ok());
  EXPECT_THAT(*history->Unfinished(), IsEmpty());
  Free();
  fs::rename(dir_ / "elsewhere", directory_);
  EXPECT_TRUE(history->Begin({.run = 2, .time = kStart, .ids = {{"b"}}}).ok());
  EXPECT_THAT(*history->Unfinished(), SizeIs(2));
}

TEST_F(OpenLater, IsTriedAgainNoMoreOftenThanWasAsked) {
  Block();
  const History history = Keep(std::chrono::hours(1));
  Free();
  EXPECT_FALSE(history->Save(One(kStart, kStart)).ok());
  EXPECT_FALSE(fs::exists(directory_));
}

}  // namespace
}  // namespace ebb::history
