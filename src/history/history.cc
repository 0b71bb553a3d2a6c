#include "history/history.h"

#include <algorithm>
#include <utility>

#include "history/facts_table.h"
#include "history/usage_table.h"

namespace ebb::history {
namespace {

// Beyond these the oldest is dropped: memory is the other thing a full node is short of.
constexpr std::size_t kMaxKeptUsage = 4096;
constexpr std::size_t kMaxKeptBatches = 256;
constexpr std::size_t kMaxKeptRuns = 16;

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
  const auto write = [&]() -> base::Status {
    auto transaction = Transaction::Begin(database_);
    if (!transaction.ok()) return transaction.error();
    if (const auto written = WriteFacts(database_, book, seen); !written.ok()) return written;
    return transaction->Commit();
  };
  if (const auto written = write(); !written.ok()) return In("save facts", written.error());
  return base::Done{};
}

base::Result<std::int64_t> SqliteHistory::Begin(const engine::Intent& intent) {
  (void)WriteKept();  // what fails now is kept, and the intent will say why
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
  return WriteKept();
}

base::Status SqliteHistory::WriteKept() {
  if (const auto written = TryWriteKept(); !written.ok()) {
    kept_.Bound();
    return In("write", written.error());
  }
  kept_ = {};
  return base::Done{};
}

base::Status SqliteHistory::TryWriteKept() {
  if (kept_.Empty()) return base::Done{};
  auto transaction = Transaction::Begin(database_);
  if (!transaction.ok()) return transaction.error();
  if (const auto done = WriteUsage(database_, kept_.usage); !done.ok()) return done;
  for (const FinishedBatch& finished : kept_.finished) {
    if (const auto done = WriteFinished(database_, finished); !done.ok()) return done;
  }
  for (const RunRow& run : kept_.runs) {
    if (const auto done = WriteRun(database_, run); !done.ok()) return done;
  }
  return transaction->Commit();
}

void SqliteHistory::Kept::Bound() {
  if (usage.size() > kMaxKeptUsage) {
    std::erase_if(usage, [](const auto& kept) { return !kept.second.present; });
  }
  while (finished.size() > kMaxKeptBatches) finished.pop_front();
  while (runs.size() > kMaxKeptRuns) runs.pop_front();
}

base::Result<std::map<std::string, image::Setback>> SqliteHistory::Setbacks() {
  auto found = ReadSetbacks(database_);
  if (!found.ok()) return In("look for failed removals", found.error());
  return found;
}

base::Result<std::optional<image::PastRemoval>> SqliteHistory::FindRemoval(std::string_view image) {
  auto found = ReadRemoval(database_, image);
  if (!found.ok()) return In("look for a removal", found.error());
  return found;
}

}  // namespace ebb::history
