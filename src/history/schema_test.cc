// Files as earlier versions left them, and what becomes of them.
#include "history/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "history/history.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr const char* kVersionOne = R"(
CREATE TABLE usage(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, first_seen INTEGER NOT NULL, last_used INTEGER NOT NULL,
  last_pulled INTEGER NOT NULL, starts INTEGER NOT NULL, pulls INTEGER NOT NULL,
  present INTEGER NOT NULL, latest_start INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE facts(
  kind INTEGER NOT NULL, id BLOB NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY(kind, id)) WITHOUT ROWID;
CREATE TABLE batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, time INTEGER NOT NULL,
  images BLOB NOT NULL, finished INTEGER NOT NULL DEFAULT 0, outcomes BLOB NOT NULL DEFAULT x'');
CREATE INDEX unfinished ON batches(id) WHERE finished = 0;
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT, started INTEGER NOT NULL, finished INTEGER NOT NULL,
  ending TEXT NOT NULL, problem TEXT NOT NULL, mountpoint TEXT NOT NULL, need INTEGER NOT NULL,
  capacity INTEGER NOT NULL, available_before INTEGER NOT NULL, available_after INTEGER NOT NULL,
  predicted INTEGER NOT NULL, measured INTEGER NOT NULL, batches INTEGER NOT NULL);
CREATE TABLE removals(
  run INTEGER NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
  reason TEXT NOT NULL, predicted INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY(run, place)) WITHOUT ROWID;
PRAGMA application_id = 0x656262;
PRAGMA user_version = 1;
INSERT INTO usage VALUES('sha256:a', 'registry.example/a:1', 10, 20, 30, 4, 5, 1, 60);
INSERT INTO facts VALUES(1, x'000169', x'00016C');
INSERT INTO batches(run, time, images) VALUES(0, 7, x'000162');
INSERT INTO runs VALUES(NULL, 100, 200, 'not-reached', '', '/images', 500, 1000, 100, 300, 210,
                        200, 2);
INSERT INTO removals VALUES(1, 0, 'sha256:b', 'registry.example/b:1', 'over-mark', 210, 'removed',
                            '');
INSERT INTO removals VALUES(1, 1, 'sha256:c', 'registry.example/c:1', 'over-mark', 290, 'failed',
                            'no answer');
)";

constexpr const char* kVersionTwo = R"(
ALTER TABLE usage ADD COLUMN recent_starts INTEGER NOT NULL DEFAULT 0;
CREATE INDEX setbacks ON removals(id) WHERE outcome IN ('failed', 'held');
CREATE INDEX successes ON removals(id, run) WHERE outcome IN ('removed', 'gone');
PRAGMA user_version = 2;
UPDATE usage SET recent_starts = 2500000;
)";

void Make(const std::filesystem::path& directory, const std::vector<const char*>& steps) {
  auto file = Database::Open(directory / "history.db", Database::Access::kReadWrite,
                             std::chrono::seconds(1));
  ASSERT_TRUE(file.ok());
  for (const char* const step : steps) {
    const auto made = file->Execute(step);
    ASSERT_TRUE(made.ok()) << made.error().message;
  }
}

std::unique_ptr<SqliteHistory> MustOpen(const std::filesystem::path& directory) {
  auto history = SqliteHistory::Open({.directory = directory});
  if (!history.ok()) {
    ADD_FAILURE() << history.error().message;
    std::abort();
  }
  return std::move(*history);
}

base::TimePoint At(int nanoseconds) {
  return base::TimePoint(base::Duration(nanoseconds));
}

// All that Make() wrote, as this version understands it.
void ExpectThatNothingIsLost(SqliteHistory& history) {
  EXPECT_THAT(history.notes(), IsEmpty());
  const auto records = history.Load();
  ASSERT_TRUE(records.ok());
  ASSERT_THAT(*records, SizeIs(1));
  const image::UsageRecord& record = records->front();
  EXPECT_EQ(record.name, "registry.example/a:1");
  EXPECT_EQ(record.usage.first_seen, At(10));
  EXPECT_EQ(record.usage.last_used, At(20));
  EXPECT_EQ(record.usage.last_pulled, At(30));
  EXPECT_EQ(record.usage.starts, 4);
  EXPECT_EQ(record.usage.pulls, 5);
  EXPECT_TRUE(record.present);
  EXPECT_EQ(record.latest_start, At(60));
  EXPECT_FALSE(record.in_use) << "nobody wrote it down";
  EXPECT_THAT(history.LoadFacts()->layers.at("i"), ElementsAre("l"));
  ASSERT_THAT(*history.Unfinished(), SizeIs(1));
  EXPECT_THAT(history.Unfinished()->front().ids, ElementsAre(image::ImageId{"b"}));
  EXPECT_EQ(history.Setbacks()->at("sha256:c").detail, "no answer");
}

void ExpectTheRun(SqliteHistory& history) {
  const auto runs = history.Runs({});
  ASSERT_TRUE(runs.ok());
  ASSERT_THAT(*runs, SizeIs(1));
  const image::PastRun& run = runs->front();
  EXPECT_EQ(run.number, 1);
  EXPECT_EQ(run.trigger, "collect") << "there was nothing else";
  EXPECT_EQ(run.started, At(100));
  EXPECT_EQ(run.finished, At(200));
  EXPECT_EQ(run.ending, "not-reached");
  EXPECT_EQ(run.mountpoint, "/images");
  EXPECT_EQ(run.need.count, 500);
  EXPECT_EQ(run.capacity.count, 1000);
  EXPECT_EQ(run.available_before.count, 100);
  EXPECT_EQ(run.available_after.count, 300);
  EXPECT_EQ(run.predicted.count, 210);
  EXPECT_EQ(run.measured.count, 200);
  EXPECT_EQ(run.batches, 2);
  EXPECT_EQ(run.removed, 1);
  const auto removals = history.Removals({.run = 1});
  ASSERT_TRUE(removals.ok());
  ASSERT_THAT(*removals, SizeIs(2));
  EXPECT_EQ(removals->front().name, "registry.example/b:1");
  EXPECT_EQ(removals->front().predicted.count, 210);
  EXPECT_EQ(removals->front().size.count, 0) << "it was not recorded";
  EXPECT_EQ(removals->back().outcome, "failed");
}

TEST(Schema, AFileOfVersionTwoIsBroughtUpToDateAndLosesNothing) {
  const testing::TempDir dir;
  Make(dir.path(), {kVersionOne, kVersionTwo});
  for (int opened = 0; opened < 2; ++opened) {
    const auto history = MustOpen(dir.path());
    ExpectThatNothingIsLost(*history);
    ExpectTheRun(*history);
    EXPECT_NEAR(history->Load()->front().usage.recent_starts, 2.5, 1e-6);
  }
}

TEST(Schema, WhatCameWithVersionThreeWorksInAFileThatWasBroughtUpToDate) {
  const testing::TempDir dir;
  Make(dir.path(), {kVersionOne, kVersionTwo});
  const auto history = MustOpen(dir.path());
  ASSERT_TRUE(history->SaveSample({.mountpoint = "/m", .capacity = {9}}, At(5)).ok());
  EXPECT_THAT(*history->Samples("/m", {}), SizeIs(1));
  ASSERT_TRUE(history->Remember("last-sweep", "now").ok());
  EXPECT_THAT(*history->Recall("last-sweep"), Optional(std::string("now")));
  ASSERT_TRUE(history->RecordRun({.trigger = "used"}, {}).ok());
  EXPECT_EQ(history->Runs({})->front().trigger, "used");
}

TEST(Schema, AFileOfVersionOneGoesThroughEveryStep) {
  const testing::TempDir dir;
  Make(dir.path(), {kVersionOne});
  const auto history = MustOpen(dir.path());
  ExpectThatNothingIsLost(*history);
  ExpectTheRun(*history);
  auto records = history->Load();
  records->front().usage.recent_starts = 2.5;
  ASSERT_TRUE(history->Save(*records).ok());
  EXPECT_NEAR(history->Load()->front().usage.recent_starts, 2.5, 1e-6);
}

TEST(Schema, AFileThatCannotBeBroughtUpToDateIsLeftAsItIs) {
  const testing::TempDir dir;
  Make(dir.path(), {kVersionOne, kVersionTwo, "CREATE TABLE samples(x)"});
  EXPECT_FALSE(SqliteHistory::Open({.directory = dir.path()}).ok());
  auto file = Database::Open(dir / "history.db", Database::Access::kReadOnly, {});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(*file->Number("PRAGMA user_version"), 2);
  EXPECT_EQ(*file->Number("SELECT count(*) FROM pragma_table_info('usage')"), 10)
      << "the steps before the one that failed were undone";
}

TEST(Schema, AnOlderFileThatMayOnlyBeReadIsLeftAsItIs) {
  const testing::TempDir dir;
  Make(dir.path(), {kVersionOne, kVersionTwo});
  const auto content = [&] {
    std::ifstream file(dir / "history.db", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = content();
  const auto history =
      SqliteHistory::Open({.directory = dir.path(), .access = Database::Access::kReadOnly});
  ASSERT_FALSE(history.ok());
  EXPECT_THAT(history.error().message, HasSubstr("older ebb"));
  EXPECT_EQ(content(), before);
}

}  // namespace
}  // namespace ebb::history
