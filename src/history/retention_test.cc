#include "history/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/history.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

using std::chrono::days;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const base::TimePoint kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

class Retention : public ::testing::Test {
 protected:
  Retention() {
    auto opened = SqliteHistory::Open({.directory = dir_.path()});
    EXPECT_TRUE(opened.ok());
    if (opened.ok()) history_ = std::move(*opened);
  }

  // One run that was over at `time` and removed the image `word`.
  void Record(base::TimePoint time, const std::string& word) const {
    image::Observation seen;
    seen.images = {{.id = {word}}};
    image::Report report;
    report.started = report.finished = time;
    report.plan.verdicts = {{.image = 0, .remove = true}};
    report.removals = {{.image = 0, .outcome = image::Outcome::kRemoved}};
    ASSERT_TRUE(history_->RecordRun(report, seen).ok());
  }

  std::vector<std::string> Removed() const {
    const auto removals = history_->Removals({});
    std::vector<std::string> ids;
    for (const auto& removal : *removals) ids.push_back(removal.id.value);
    return ids;
  }

  Database OpenFile() const {
    auto file =
        Database::Open(dir_ / "history.db", Database::Access::kReadWrite, std::chrono::seconds(1));
    if (!file.ok()) std::abort();
    return std::move(*file);
  }

  // Runs 1 to `runs`, an hour apart up to kNow, of 100 removals each; removal n of run r is of the
  // image "n" if r is odd, so that it is removed again and again, else of an image of its own.
  void Fill(int runs) const {
    auto file = OpenFile();
    const std::string count = std::to_string(runs);
    const std::string end = std::to_string(kNow.time_since_epoch().count());
    const std::string sql =
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < " + count +
        ") INSERT INTO runs SELECT i, " + end + ", " + end + " - (" + count +
        " - i) * 3600000000000, 'reached', '', '/a', 0, 0, 0, 0, 0, 0, 1, 'used', 100, 100 FROM r;"
        "WITH RECURSIVE p(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM p WHERE i < 99) "
        "INSERT INTO removals SELECT id, i, CASE id % 2 WHEN 1 THEN i ELSE id || '-' || i END, '', "
        "'over-mark', 0, 'removed', '', 0, 0 FROM runs, p;";
    const auto filled = file.Execute(sql.c_str());
    ASSERT_TRUE(filled.ok()) << filled.error().message;
  }

  testing::TempDir dir_;
  std::unique_ptr<SqliteHistory> history_;
};

TEST_F(Retention, RunsAndTheirRemovalsGoAfterNinetyDays) {
  Record(kNow - days(90) - minutes(1), "old");
  Record(kNow - days(90) + minutes(1), "young");
  ASSERT_TRUE(history_->Forget(kNow).ok());
  EXPECT_THAT(Removed(), ElementsAre("young"));
  EXPECT_THAT(*history_->Runs({}), SizeIs(1));
  ASSERT_TRUE(history_->Forget(kNow + minutes(2)).ok());
  EXPECT_THAT(Removed(), IsEmpty());
  EXPECT_THAT(*history_->Runs({}), IsEmpty());
}

TEST_F(Retention, ARunThatIsRecordedMakesRoomForItself) {
  Record(kNow - days(100), "old");
  Record(kNow, "young");
  EXPECT_THAT(Removed(), ElementsAre("young"));
}

TEST_F(Retention, AClockThatIsSetBackAYearLosesNothing) {
  Record(kNow, "a");
  ASSERT_TRUE(history_->SaveSample({.mountpoint = "/a", .capacity = {9}}, kNow).ok());
  ASSERT_TRUE(history_->Forget(kNow - days(365)).ok());
  Record(kNow - days(365), "b");
  ASSERT_TRUE(history_->Forget(kNow - days(365)).ok());
  EXPECT_THAT(Removed(), ElementsAre("a", "b"));
  EXPECT_THAT(*history_->Samples("/a", {}), SizeIs(1));
}

TEST_F(Retention, WhatIsOldGoesABoundedPartAtATime) {
  Fill(450);
  std::vector<std::size_t> left;
  for (int call = 0; call < 3; ++call) {
    ASSERT_TRUE(history_->Forget(kNow + days(365)).ok());
    left.push_back(history_->Runs({})->size());
  }
  EXPECT_THAT(left, ElementsAre(250, 50, 0));
}

TEST_F(Retention, SamplesGoAfterAWeek) {
  ASSERT_TRUE(
      history_->SaveSample({.mountpoint = "/a", .capacity = {9}, .available = {1}}, kNow).ok());
  ASSERT_TRUE(
      history_
          ->SaveSample({.mountpoint = "/a", .capacity = {9}, .available = {2}}, kNow + minutes(2))
          .ok());
  ASSERT_TRUE(history_->Forget(kNow + days(7) + minutes(1)).ok());
  const auto samples = history_->Samples("/a", {});
  ASSERT_THAT(*samples, SizeIs(1));
  EXPECT_EQ(samples->front().available.count, 2);
}

TEST_F(Retention, UsageIsKeptForAsLongAsTheImageIsThere) {
  const std::vector<image::UsageRecord> records = {
      {.id = {"a"}, .usage = {.first_seen = kNow - days(900)}, .present = true}};
  ASSERT_TRUE(history_->Save(records).ok());
  ASSERT_TRUE(history_->Forget(kNow).ok());
  EXPECT_THAT(*history_->Load(), SizeIs(1));
}

TEST_F(Retention, TooManyRemovalsLoseFirstThoseOfImagesThatWereRemovedAgain) {
  Fill(1001);
  auto file = OpenFile();
  ASSERT_EQ(*file.Number("SELECT count(*) FROM removals"), kMaxRemovals + 100);
  ASSERT_TRUE(history_->Forget(kNow).ok());
  EXPECT_LE(*file.Number("SELECT count(*) FROM removals"), kMaxRemovals);
  EXPECT_GT(*file.Number("SELECT count(*) FROM removals"), kMaxRemovals * 9 / 10);
  EXPECT_EQ(*file.Number("SELECT count(DISTINCT id) FROM removals"), 100 + 500 * 100)
      << "where an image went can still be told";
  EXPECT_EQ(*file.Number("SELECT count(*) FROM removals WHERE run = 1"), 0);
  EXPECT_EQ(*file.Number("SELECT count(*) FROM runs WHERE id = 1"), 0);
  EXPECT_EQ(*file.Number("SELECT count(*) FROM removals WHERE run = 2"), 100);
  EXPECT_EQ(*file.Number("SELECT total(kept) FROM runs"),
            *file.Number("SELECT count(*) FROM removals"));
}

TEST_F(Retention, AFullHistoryStaysWithinItsBoundAsRunsGoOn) {
  Fill(1000);
  auto file = OpenFile();
  for (int run = 0; run < 3; ++run) {
    Record(kNow + minutes(run), "x" + std::to_string(run));
    EXPECT_LE(*file.Number("SELECT count(*) FROM removals"), kMaxRemovals);
  }
  EXPECT_EQ(history_->Removals({.limit = 1})->front().id.value, "x2") << "the newest stay";
}

}  // namespace
}  // namespace ebb::history
