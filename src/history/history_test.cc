#include "history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "history/usage_table.h"
#include "testing/temp_dir.h"

namespace ebb::history {
namespace {

using base::TimePoint;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::unique_ptr<SqliteHistory> MustOpen(const std::filesystem::path& directory) {
  auto history = SqliteHistory::Open({.directory = directory});
  if (!history.ok()) {
    ADD_FAILURE() << history.error().message;
    std::abort();
  }
  return std::move(*history);
}

TimePoint At(int seconds) {
  return TimePoint(std::chrono::seconds(1'800'000'000 + seconds));
}

auto Fields(const image::UsageRecord& record) {
  const image::Usage& usage = record.usage;
  return std::tuple(record.id.value, record.name, usage.first_seen, usage.last_used,
                    usage.last_pulled, usage.starts, usage.pulls, record.present,
                    record.latest_start, record.in_use);
}

image::UsageRecord RandomRecord(std::mt19937& random) {
  image::UsageRecord record;
  record.id.value = "sha256:" + std::to_string(random() % 20);
  record.name = random() % 4 == 0 ? "" : "registry.example/app:" + std::to_string(random() % 3);
  record.usage.first_seen = At(static_cast<int>(random() % 100));
  record.usage.last_used = random() % 2 == 0 ? base::kNever : At(static_cast<int>(random() % 100));
  record.usage.last_pulled = TimePoint(base::Duration(-static_cast<int>(random() % 3)));
  record.usage.starts = static_cast<int>(random() % 5);
  record.usage.pulls = static_cast<int>(random() % 5);
  record.present = random() % 2 == 0;
  record.in_use = random() % 2 == 0;
  record.latest_start = At(static_cast<int>(random() % 100));
  return record;
}

TEST(History, AnswersLikeAMapWhateverIsSavedAndReopened) {
  const testing::TempDir dir;
  std::mt19937 random(11);
  std::map<std::string, image::UsageRecord> model;
  auto history = MustOpen(dir.path());
  for (int step = 0; step < 200; ++step) {
    std::vector<image::UsageRecord> records;
    for (auto left = random() % 6; left > 0; --left) records.push_back(RandomRecord(random));
    for (const auto& record : records) model[record.id.value] = record;
    ASSERT_TRUE(history->Save(records).ok());
    if (random() % 10 == 0) {
      history.reset();
      history = MustOpen(dir.path());
    }
    const auto loaded = history->Load();
    ASSERT_TRUE(loaded.ok());
    ASSERT_EQ(loaded->size(), model.size());
    for (const auto& record : *loaded) {
      ASSERT_EQ(Fields(record), Fields(model.at(record.id.value))) << "step " << step;
    }
  }
}

TEST(History, SavingUnchangedRecordsWritesNothing) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  std::mt19937 random(3);
  std::vector<image::UsageRecord> records;
  for (int i = 0; i < 100; ++i) {
    records.push_back(RandomRecord(random));
    records.back().id.value += "-" + std::to_string(i);
  }
  ASSERT_TRUE(history->Save(records).ok());
  const auto before = std::filesystem::file_size(dir / "history.db-wal");
  ASSERT_TRUE(history->Save(records).ok());
  EXPECT_EQ(std::filesystem::file_size(dir / "history.db-wal"), before);
  records[50].usage.starts += 1;
  ASSERT_TRUE(history->Save(records).ok());
  EXPECT_GT(std::filesystem::file_size(dir / "history.db-wal"), before);
}

TEST(History, ForgetsTheOldestOfTooManyImagesThatAreGone) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  std::vector<image::UsageRecord> records(static_cast<std::size_t>(kMaxAbsent) + 10);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].id.value = std::to_string(i);
    records[i].usage.first_seen = At(static_cast<int>(i));
    records[i].present = i == 0;
  }
  ASSERT_TRUE(history->Save(records).ok());
  const auto loaded = history->Load();
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->size(), static_cast<std::size_t>(kMaxAbsent) + 1);
  const auto has = [&](const char* id) {
    return std::ranges::count(*loaded, id, [](const auto& r) { return r.id.value; });
  };
  EXPECT_EQ(has("0"), 1) << "it is on the node";
  EXPECT_EQ(has("1"), 0);
  EXPECT_EQ(has("2009"), 1);
}

engine::Inventory Seeing(std::vector<std::string> images, std::vector<std::string> containers,
                         std::vector<std::string> sandboxes) {
  engine::Inventory seen;
  for (auto& id : images) seen.images.push_back({.id = {std::move(id)}});
  for (auto& id : containers) seen.containers.push_back({.id = std::move(id)});
  for (auto& id : sandboxes) seen.sandboxes.push_back({.id = std::move(id)});
  return seen;
}

TEST(History, RemembersFactsAboutWhatIsStillThere) {
  const testing::TempDir dir;
  auto history = MustOpen(dir.path());
  const std::string layer = "sha256:" + std::string(64, 'a');
  engine::Facts facts;
  facts.layers = {{"i1", {layer, layer, "odd"}}, {"i2", {}}};
  facts.sandbox_images = {{"s1", "registry.k8s.io/pause:3.9"}, {"s2", ""}};
  facts.volumes = {{"c1", {}}, {"c2", {"registry.example/models:1"}}};
  facts.snapshots = {{"k8s.io/overlayfs/a@1", 4096}, {"k8s.io/overlayfs/b@2", 0}};
  ASSERT_TRUE(history
                  ->SaveFacts({.all = facts, .fresh = facts},
                              Seeing({"i1", "i2"}, {"c1", "c2"}, {"s1", "s2"}))
                  .ok());
  history = MustOpen(dir.path());
  auto loaded = history->LoadFacts();
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->layers, facts.layers);
  EXPECT_EQ(loaded->sandbox_images, facts.sandbox_images);
  EXPECT_EQ(loaded->volumes, facts.volumes);
  EXPECT_EQ(loaded->snapshots, facts.snapshots);

  facts.snapshots.erase("k8s.io/overlayfs/b@2");
  ASSERT_TRUE(history->SaveFacts({.all = facts}, Seeing({"i1", "c2"}, {"c1"}, {"s2"})).ok());
  loaded = history->LoadFacts();
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->layers.size(), 1U);
  EXPECT_TRUE(loaded->layers.contains("i1"));
  EXPECT_TRUE(loaded->sandbox_images.contains("s2"));
  EXPECT_FALSE(loaded->sandbox_images.contains("s1"));
  EXPECT_EQ(loaded->snapshots, facts.snapshots) << "a snapshot that is gone is forgotten";
  EXPECT_FALSE(loaded->volumes.contains("c2")) << "an image of that name is not that container";
}

TEST(History, SavesAgainWhatChanged) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  ASSERT_TRUE(
      history->SaveFacts({.fresh = {.layers = {{"i", {"a"}}}}}, Seeing({"i"}, {}, {})).ok());
  ASSERT_TRUE(
      history->SaveFacts({.fresh = {.layers = {{"i", {"b"}}}}}, Seeing({"i"}, {}, {})).ok());
  const auto loaded = history->LoadFacts();
  ASSERT_TRUE(loaded.ok());
  EXPECT_THAT(loaded->layers.at("i"), ElementsAre("b"));
}

image::Report RunWith(image::Outcome outcome, int second, image::Ending ending) {
  image::Report report;
  report.plan.verdicts = {{.image = 0, .remove = true}};
  report.removals = {
      {.image = 0, .outcome = outcome, .detail = "in second " + std::to_string(second)}};
  report.finished = base::TimePoint(std::chrono::seconds(second));
  report.ending = ending;
  return report;
}

TEST(History, CountsFailedRemovalsOfAnImageUntilItIsRemoved) {
  using image::Ending;
  using image::Outcome;
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  image::Observation seen;
  seen.images = {{.id = {"sha256:a"}}};
  const auto run = [&](Outcome outcome, int second, Ending ending = Ending::kNotReached) {
    ASSERT_TRUE(history->RecordRun(RunWith(outcome, second, ending), seen).ok());
  };
  run(Outcome::kFailed, 1);
  run(Outcome::kRemoved, 2);
  EXPECT_TRUE(history->Setbacks()->empty());
  run(Outcome::kFailed, 3);
  run(Outcome::kHeld, 4);
  run(Outcome::kFailed, 5, Ending::kStopped);  // nobody answered: not the image's fault
  run(Outcome::kNotTried, 6);
  const auto setbacks = history->Setbacks();
  ASSERT_TRUE(setbacks.ok());
  ASSERT_EQ(setbacks->size(), 1U);
  const image::Setback& setback = setbacks->at("sha256:a");
  EXPECT_EQ(setback.count, 2);
  EXPECT_EQ(setback.last, base::TimePoint(std::chrono::seconds(4)));
  EXPECT_TRUE(setback.held);
  EXPECT_EQ(setback.detail, "in second 4");
}

TEST(History, ABatchThatFinishedIsNotUnfinished) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  const auto first = history->Begin({.run = 7, .time = At(1), .ids = {{"a"}, {"b"}}});
  const auto second = history->Begin({.run = 7, .time = At(2), .ids = {{"c"}}});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(*first, *second);
  const std::vector<engine::RemovalResult> results(2);
  ASSERT_TRUE(history->Finish(*first, results).ok());
  const auto unfinished = history->Unfinished();
  ASSERT_TRUE(unfinished.ok());
  ASSERT_EQ(unfinished->size(), 1U);
  EXPECT_EQ(unfinished->front().batch, *second);
  EXPECT_EQ(unfinished->front().run, 7);
  EXPECT_EQ(unfinished->front().time, At(2));
  EXPECT_THAT(unfinished->front().ids, ElementsAre(image::ImageId{"c"}));
}

image::Report ReportOfOneRemoval() {
  image::Report report;
  report.started = At(1);
  report.finished = At(2);
  report.plan.need = {500};
  report.plan.verdicts = {{.image = 1, .remove = true, .reason = image::Reason::kOverMark}};
  report.removals = {
      {.image = 1, .outcome = image::Outcome::kHeld, .detail = "in use", .predicted = {700}}};
  report.measured = {650};
  report.ending = image::Ending::kReached;
  return report;
}

TEST(History, RecordsARunWithEveryRemovalByName) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  image::Observation seen;
  seen.images = {{.id = {"sha256:a"}}, {.id = {"sha256:b"}, .tags = {"registry.example/b:1"}}};
  ASSERT_TRUE(history->RecordRun(ReportOfOneRemoval(), seen).ok());
  auto file = Database::Open(dir / "history.db", Database::Access::kReadOnly, {});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(*file->Number("SELECT measured FROM runs WHERE ending = 'reached' AND need = 500"),
            650);
  auto row = file->Prepare("SELECT id, name, reason, outcome, detail, predicted FROM removals");
  ASSERT_TRUE(row.ok() && *row->Step());
  EXPECT_EQ(row->Bytes(0), "sha256:b");
  EXPECT_EQ(row->Bytes(1), "registry.example/b:1");
  EXPECT_EQ(row->Bytes(2), image::Code(image::Reason::kOverMark));
  EXPECT_EQ(row->Bytes(3), image::Code(image::Outcome::kHeld));
  EXPECT_EQ(row->Bytes(4), "in use");
  EXPECT_EQ(row->Int(5), 700);
}

TEST(History, RecordsAReportThatDoesNotFitItsObservation) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  image::Report report = ReportOfOneRemoval();
  report.plan.verdicts.clear();
  EXPECT_TRUE(history->RecordRun(report, {}).ok());
}

TEST(History, StartsEmptyWithoutNotes) {
  const testing::TempDir dir;
  const auto history = MustOpen(dir.path());
  EXPECT_THAT(*history->Load(), IsEmpty());
  EXPECT_THAT(*history->Unfinished(), IsEmpty());
  EXPECT_THAT(history->notes(), IsEmpty());
}

}  // namespace
}  // namespace ebb::history
