// Samples, small facts, and what reports read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/history.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

const base::TimePoint kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);

std::unique_ptr<SqliteHistory> MustOpen(const std::filesystem::path& directory) {
  auto history = SqliteHistory::Open({.directory = directory});
  if (!history.ok()) {
    ADD_FAILURE() << history.error().message;
    std::abort();
  }
  return std::move(*history);
}

image::Filesystem Disk(const std::string& mountpoint, std::int64_t available) {
  return {.mountpoint = mountpoint,
          .capacity = {1000},
          .available = {available},
          .inodes = 50,
          .inodes_free = 20};
}

std::vector<std::int64_t> Available(SqliteHistory& history, const std::string& mountpoint,
                                    const image::Period& period = {}) {
  const auto samples = history.Samples(mountpoint, period);
  EXPECT_TRUE(samples.ok());
  std::vector<std::int64_t> available;
  for (const image::Sample& sample : *samples) available.push_back(sample.available.count);
  return available;
}

TEST(Samples, AreReadBackAfterARestart) {
  const testing::TempDir dir;
  ASSERT_TRUE(MustOpen(dir.path())->SaveSample(Disk("/a", 7), kNow + seconds(3)).ok());
  EXPECT_THAT(
      *MustOpen(dir.path())->Samples("/a", {}),
      ElementsAre(image::Sample{
          .time = kNow + seconds(3), .capacity = {1000}, .available = {7}, .inodes_free = 20}));
}

TEST(Samples, AreKeptOnceAMinuteForEachFilesystem) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  for (int second = 0; second < 180; ++second) {
    ASSERT_TRUE(history->SaveSample(Disk("/a", second), kNow + seconds(second)).ok());
    ASSERT_TRUE(history->SaveSample(Disk("/b", 1000 - second), kNow + seconds(second)).ok());
  }
  EXPECT_THAT(Available(*history, "/a"), ElementsAre(0, 60, 120));
  EXPECT_THAT(Available(*history, "/b"), ElementsAre(1000, 940, 880));
  EXPECT_THAT(*history->Mountpoints(), ElementsAre("/a", "/b"));
}

TEST(Samples, AreStillOneAMinuteAfterARestartWithinIt) {
  const testing::TempDir dir;
  for (int second : {5, 10, 15}) {
    ASSERT_TRUE(MustOpen(dir.path())->SaveSample(Disk("/a", second), kNow + seconds(second)).ok());
  }
  EXPECT_THAT(Available(*MustOpen(dir.path()), "/a"), ElementsAre(15));
}

TEST(Samples, OfAFilesystemThatCouldNotBeMeasuredAreNone) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  image::Filesystem hanging = Disk("/a", 7);
  hanging.problem = "no answer within 2s";
  ASSERT_TRUE(history->SaveSample(hanging, kNow).ok());
  EXPECT_THAT(Available(*history, "/a"), IsEmpty());
}

TEST(Samples, OfAClockThatWasAheadAreLeftOutAndDoNotStopNewOnes) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  ASSERT_TRUE(history->SaveSample(Disk("/a", 1), kNow + hours(24 * 365)).ok());
  for (int minute = 0; minute < 3; ++minute) {
    ASSERT_TRUE(history->SaveSample(Disk("/a", 10 + minute), kNow + minutes(minute)).ok());
  }
  EXPECT_THAT(Available(*history, "/a", {.until = kNow + hours(1)}), ElementsAre(10, 11, 12));
  EXPECT_THAT(Available(*history, "/a", {.since = kNow + minutes(1), .until = kNow + minutes(1)}),
              ElementsAre(11));
}

TEST(Meta, IsRememberedAcrossRestartsAndReplaced) {
  const testing::TempDir dir;
  auto history = MustOpen(dir.path());
  EXPECT_EQ(*history->Recall("last-sweep"), std::nullopt);
  ASSERT_TRUE(history->Remember("last-sweep", "yesterday").ok());
  ASSERT_TRUE(history->Remember("paused-until", "").ok());
  history = MustOpen(dir.path());
  EXPECT_THAT(*history->Recall("last-sweep"), Optional(std::string("yesterday")));
  EXPECT_THAT(*history->Recall("paused-until"), Optional(std::string()));
  ASSERT_TRUE(history->Remember("last-sweep", "today").ok());
  EXPECT_THAT(*MustOpen(dir.path())->Recall("last-sweep"), Optional(std::string("today")));
}

image::Observation Seeing(const std::string& word, base::TimePoint first_seen) {
  image::Observation seen;
  seen.images = {{.id = {"sha256:" + word},
                  .tags = {"registry.example/" + word + ":1"},
                  .size = {77},
                  .usage = {.first_seen = first_seen, .starts = 3, .pulls = 1}}};
  return seen;
}

image::Report Removing(base::TimePoint started, const std::string& trigger = "collect") {
  image::Report report;
  report.trigger = trigger;
  report.started = started;
  report.finished = started + seconds(9);
  report.plan.verdicts = {{.image = 0, .remove = true, .reason = image::Reason::kOverMark}};
  report.removals = {{.image = 0, .outcome = image::Outcome::kRemoved, .predicted = {200}}};
  report.before = {.mountpoint = "/a", .capacity = {1000}, .available = {100}};
  report.after = {.mountpoint = "/a", .capacity = {1000}, .available = {300}};
  report.predicted = {200};
  report.measured = {190};
  report.ending = image::Ending::kReached;
  report.batches = 1;
  return report;
}

TEST(Past, ARunTellsWhatBeganItAndWhatCameOfIt) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  ASSERT_TRUE(history->RecordRun(Removing(kNow, "inodes"), Seeing("a", kNow - hours(5))).ok());
  const auto runs = history->Runs({});
  ASSERT_TRUE(runs.ok());
  ASSERT_THAT(*runs, SizeIs(1));
  EXPECT_EQ(runs->front().trigger, "inodes");
  EXPECT_EQ(runs->front().removed, 1);
  EXPECT_EQ(runs->front().available_before.count, 100);
  EXPECT_EQ(runs->front().available_after.count, 300);
  const auto removals = history->Removals({});
  ASSERT_TRUE(removals.ok());
  ASSERT_THAT(*removals, SizeIs(1));
  EXPECT_EQ(removals->front().run, runs->front().number);
  EXPECT_EQ(removals->front().reason, "over-mark");
  EXPECT_EQ(removals->front().size.count, 77);
  EXPECT_EQ(removals->front().first_seen, kNow - hours(5));
}

TEST(Past, RunsAreTheNewestFirstByTheirNumberAndCutAsAsked) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  // The clock was a day ahead during the second one.
  for (const int hour : {0, 24, 2, 3}) {
    const auto report = Removing(kNow + hours(hour));
    ASSERT_TRUE(history->RecordRun(report, Seeing("a", kNow)).ok());
  }
  const auto numbers = [&](const PastQuery& query) {
    const auto runs = history->Runs(query);
    std::vector<std::int64_t> found;
    for (const auto& run : *runs) found.push_back(run.number);
    return found;
  };
  EXPECT_THAT(numbers({}), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(numbers({.limit = 2}), ElementsAre(4, 3));
  EXPECT_THAT(numbers({.since = kNow + hours(3)}), ElementsAre(4, 2));
  EXPECT_THAT(numbers({.run = 3}), ElementsAre(3));
  EXPECT_THAT(numbers({.run = 9}), IsEmpty());
  EXPECT_THAT(*history->Removals({.limit = 2}), SizeIs(2));
  EXPECT_EQ(history->Removals({.limit = 2})->front().run, 3) << "in the order they happened";
}

// The world with `word` in it, `later` after kNow.
image::Observation World(const std::string& word, base::Duration later) {
  image::Observation seen;
  seen.taken_at = kNow + later;
  if (!word.empty()) {
    seen.images = {{.id = {"sha256:" + word}, .tags = {"registry.example/" + word + ":1"}}};
  }
  return seen;
}

// One observation of a process of its own, as the engine makes it; returns what it saw.
image::Observation Look(const std::filesystem::path& directory, image::Observation seen) {
  const auto history = MustOpen(directory);
  const auto records = image::Advance(*history->Load(), seen, {});
  EXPECT_TRUE(history->Save(records).ok());
  image::ApplyUsage(records, seen.images);
  return seen;
}

TEST(Past, AnImageThatIsPulledAgainIsARegretAlsoAfterARestart) {
  const testing::TempDir dir;
  const auto seen = Look(dir.path(), World("a", {}));
  ASSERT_TRUE(MustOpen(dir.path())->RecordRun(Removing(kNow + hours(1)), seen).ok());
  (void)Look(dir.path(), World("", hours(2)));
  EXPECT_THAT(*MustOpen(dir.path())->Regrets({}), IsEmpty());
  (void)Look(dir.path(), World("a", hours(5)));
  const auto regrets = MustOpen(dir.path())->Regrets({});
  ASSERT_TRUE(regrets.ok());
  ASSERT_THAT(*regrets, SizeIs(1));
  EXPECT_EQ(regrets->front().back, kNow + hours(5));
  EXPECT_TRUE(regrets->front().same_image());
}

// The quickest are the worst: between two looks of the command line lies a day.
TEST(Past, AnImageThatIsBackBeforeTheNextLookIsARegretAndANewStay) {
  const testing::TempDir dir;
  const auto seen = Look(dir.path(), World("a", {}));
  ASSERT_TRUE(MustOpen(dir.path())->RecordRun(Removing(kNow + hours(1)), seen).ok());
  (void)Look(dir.path(), World("a", hours(24)));
  EXPECT_THAT(*MustOpen(dir.path())->Regrets({}), SizeIs(1));
  const auto records = MustOpen(dir.path())->Load();
  EXPECT_EQ(records->front().usage.pulls, 2);
  EXPECT_EQ(records->front().usage.first_seen, kNow + hours(24));
}

TEST(Past, AnImageThatCouldNotBeRemovedIsNoRegretAndNoNewStay) {
  const testing::TempDir dir;
  const auto seen = Look(dir.path(), World("a", {}));
  auto report = Removing(kNow + hours(1));
  report.removals[0].outcome = image::Outcome::kHeld;
  ASSERT_TRUE(MustOpen(dir.path())->RecordRun(report, seen).ok());
  (void)Look(dir.path(), World("a", hours(24)));
  EXPECT_THAT(*MustOpen(dir.path())->Regrets({}), IsEmpty());
  EXPECT_EQ(MustOpen(dir.path())->Load()->front().usage.first_seen, kNow);
}

}  // namespace
}  // namespace ebb::history
