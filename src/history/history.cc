#include "history/history.h"

#include <algorithm>
#include <utility>

#include "history/facts_table.h"
#include "history/usage_table.h"

namespace ebb::history {
namespace {

// From here on it is gone. If it is back before anybody looks again, that is a new stay.
image::UsageRecord Departed(const image::Image& image) {
  return {.id = image.id,
          .name = image::DisplayName(image),
          .usage = image.usage,
          .present = false,
          .latest_start = image.usage.last_start};
}

}  // namespace

base::Result<std::unique_ptr<SqliteHistory>> SqliteHistory::Open(const OpenOptions& options) {
  std::vector<std::string> notes;
  auto database = OpenFile(options, notes);
  if (!database.ok()) return database.error();
  auto history = std::unique_ptr<SqliteHistory>(
      new SqliteHistory(std::move(*database), options.directory + "/history.db"));
  history->notes_ = std::move(notes);
  return history;
}

base::Result<std::unique_ptr<SqliteHistory>> SqliteHistory::OpenOrKeep(const OpenOptions& options) {
  auto history = Open(options);
  if (history.ok()) return history;
  std::vector<std::string> notes;
  OpenOptions reading = options;
  reading.access = Database::Access::kReadOnly;
  auto database = OpenFile(reading, notes);
  if (!database.ok()) database = OpenMemory();
  if (!database.ok()) return database.error();
  auto kept = std::unique_ptr<SqliteHistory>(
      new SqliteHistory(std::move(*database), options.directory + "/history.db"));
  kept->unopened_ = {options, history.error(), std::chrono::steady_clock::now()};
  return kept;
}

base::Status SqliteHistory::OpenAgain() {
  const auto now = std::chrono::steady_clock::now();
  if (now - unopened_->tried < unopened_->options.retry) return unopened_->why;
  unopened_->tried = now;
  auto database = OpenFile(unopened_->options, notes_);
  if (!database.ok()) return unopened_->why = database.error();
  const auto records = ReadUsage(*database);
  if (!records.ok()) return In("load usage", records.error());
  for (const image::UsageRecord& record : *records) {
    const auto kept = kept_.usage.find(record.id.value);
    if (kept != kept_.usage.end()) kept->second = image::Joined(record, kept->second);
  }
  database_ = std::move(*database);
  unopened_.reset();
  return base::Done{};
}

base::Error SqliteHistory::In(const char* what, const base::Error& error) const {
  return error.In(what).In("history " + path_);
}

base::Result<std::vector<image::UsageRecord>> SqliteHistory::Load() {
  auto records = ReadUsage(database_);
  if (!records.ok()) return In("load usage", records.error());
  for (const auto& [id, kept] : kept_.usage) {
    const auto at = std::ranges::lower_bound(
        *records, id, {}, [](const auto& record) { return std::string_view(record.id.value); });
    if (at != records->end() && at->id.value == id) {
      *at = kept;
    } else {
      records->insert(at, kept);
    }
  }
  return records;
}

base::Status SqliteHistory::Save(std::span<const image::UsageRecord> records) {
  for (const auto& record : records) kept_.usage.insert_or_assign(record.id.value, record);
  return WriteKept();
}

base::Result<engine::Facts> SqliteHistory::LoadFacts() {
  auto facts = ReadFacts(database_);
  if (!facts.ok()) return In("load facts", facts.error());
  return facts;
}

base::Status SqliteHistory::SaveFacts(const engine::FactBook& book, const engine::Inventory& seen) {
  const auto written = Write([&] { return WriteFacts(database_, book, seen); });
  return written.ok() ? written : In("save facts", written.error());
}

base::Result<std::int64_t> SqliteHistory::Begin(const engine::Intent& intent) {
  (void)WriteKept();  // what fails now is kept, and the intent will say why
  // Numbers of batches belong to the file.
  if (unopened_) return In("begin a batch", unopened_->why);
  const auto write = [&]() -> base::Result<std::int64_t> {
    auto transaction = Transaction::Begin(database_);
    if (!transaction.ok()) return transaction.error();
    auto batch = WriteIntent(database_, intent);
    if (!batch.ok()) return batch;
    if (const auto done = transaction->Commit(); !done.ok()) return done.error();
    return batch;
  };
  const auto full = database_.Execute("PRAGMA synchronous = FULL");
  auto batch = full.ok() ? write() : base::Result<std::int64_t>(full.error());
  const auto normal = database_.Execute("PRAGMA synchronous = NORMAL");
  if (!batch.ok()) return In("begin a batch", batch.error());
  if (!normal.ok()) return In("begin a batch", normal.error());
  return batch;
}

base::Status SqliteHistory::Finish(std::int64_t batch,
                                   std::span<const engine::RemovalResult> results) {
  kept_.finished.push_back(MakeFinishedBatch(batch, results));
  return WriteKept();
}

base::Result<std::vector<engine::Intent>> SqliteHistory::Unfinished() {
  auto intents = ReadUnfinished(database_);
  if (!intents.ok()) return In("look for unfinished batches", intents.error());
  std::erase_if(*intents, [&](const engine::Intent& intent) {
    return std::ranges::find(kept_.finished, intent.batch, &FinishedBatch::batch) !=
           kept_.finished.end();
  });
  return intents;
}

base::Status SqliteHistory::RecordRun(const image::Report& report, const image::Observation& seen) {
  kept_.runs.push_back(MakeRunRow(report, seen));
  for (const image::Removal& removal : report.removals) {
    const bool went =
        removal.outcome == image::Outcome::kRemoved || removal.outcome == image::Outcome::kGone;
    if (!went || removal.image >= seen.images.size()) continue;
    const image::Image& image = seen.images[removal.image];
    if (image.usage.first_seen == base::kNever) continue;  // nothing was known of it
    kept_.usage.insert_or_assign(image.id.value, Departed(image));
  }
  return WriteKept();
}

base::Status SqliteHistory::Write(const std::function<base::Status()>& rows) {
  auto transaction = Transaction::Begin(database_);
  if (!transaction.ok()) return transaction.error();
  if (const auto written = rows(); !written.ok()) return written;
  return transaction->Commit();
}

base::Status SqliteHistory::WriteKept() {
  if (unopened_) {
    if (auto opened = OpenAgain(); !opened.ok()) {
      kept_.Bound();
      return opened;
    }
  }
  if (kept_.Empty()) return base::Done{};
  if (const auto written = Write([&] { return kept_.Write(database_); }); !written.ok()) {
    kept_.Bound();
    return In("write", written.error());
  }
  kept_ = {};
  return base::Done{};
}

base::Result<std::map<std::string, image::Setback>> SqliteHistory::Setbacks() {
  auto found = ReadSetbacks(database_);
  if (!found.ok()) return In("look for failed removals", found.error());
  for (const RunRow& run : kept_.runs) CountSetbacks(run, *found);
  return found;
}

base::Result<std::optional<image::PastRemoval>> SqliteHistory::FindRemoval(std::string_view image) {
  auto found = ReadRemoval(database_, image);
  if (!found.ok()) return In("look for a removal", found.error());
  return found;
}

}  // namespace ebb::history
