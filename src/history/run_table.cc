#include "history/run_table.h"

#include <algorithm>

#include "history/codec.h"
#include "history/times.h"

namespace ebb::history {
namespace {

// A batch that never finished is not forgotten.
constexpr const char* kForgetBatches =
    "DELETE FROM batches WHERE finished AND id <= (SELECT max(id) FROM batches) - 1000";
static_assert(kMaxBatches == 1000, "kForgetBatches names the number");

RemovalRow MakeRemovalRow(const image::Removal& removal, const image::Verdict* verdict,
                          const image::Observation& seen) {
  RemovalRow row;
  if (removal.image < seen.images.size()) {
    row.id = seen.images[removal.image].id.value;
    row.name = image::DisplayName(seen.images[removal.image]);
    row.size = seen.images[removal.image].size;
    row.first_seen = seen.images[removal.image].usage.first_seen;
  }
  if (verdict != nullptr) row.reason = image::Code(verdict->reason);
  row.outcome = image::Code(removal.outcome);
  row.detail = removal.detail;
  row.predicted = removal.predicted;
  return row;
}

base::Status WriteRemovals(Database& database, std::int64_t run,
                           const std::vector<RemovalRow>& removals) {
  auto insert = database.Prepare("INSERT INTO removals VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return insert.error();
  std::int64_t place = 0;
  for (const RemovalRow& row : removals) {
    insert->Bind(run).Bind(place++).Bind(row.id).Bind(row.name).Bind(row.reason);
    insert->Bind(row.predicted.count).Bind(row.outcome).Bind(row.detail);
    insert->Bind(row.size.count).Bind(Count(row.first_seen));
    if (const auto done = insert->Run(); !done.ok()) return done;
  }
  return base::Done{};
}

bool Went(const RemovalRow& row) {
  using image::Code;
  using image::Outcome;
  return row.outcome == Code(Outcome::kRemoved) || row.outcome == Code(Outcome::kGone) ||
         row.outcome == Code(Outcome::kRaced);
}

}  // namespace

RunRow MakeRunRow(const image::Report& report, const image::Observation& seen) {
  RunRow run;
  run.started = report.started;
  run.finished = report.finished;
  run.trigger = report.trigger;
  run.ending = image::Code(report.ending);
  run.problem = report.problem;
  run.mountpoint = report.before.mountpoint;
  run.need = report.plan.need;
  run.capacity = report.before.capacity;
  run.available_before = report.before.available;
  run.available_after = report.after.available;
  run.predicted = report.predicted;
  run.measured = report.measured;
  run.batches = report.batches;
  const auto& verdicts = report.plan.verdicts;
  run.removals.reserve(report.removals.size());
  for (std::size_t i = 0; i < report.removals.size(); ++i) {
    const auto* const verdict = i < verdicts.size() ? &verdicts[i] : nullptr;
    run.removals.push_back(MakeRemovalRow(report.removals[i], verdict, seen));
  }
  return run;
}

FinishedBatch MakeFinishedBatch(std::int64_t batch,
                                std::span<const engine::RemovalResult> results) {
  std::vector<std::string> outcomes;
  for (const auto& result : results) {
    outcomes.emplace_back(image::Code(result.outcome));
    outcomes.push_back(result.detail);
  }
  return {batch, PackList(outcomes)};
}

base::Status WriteRun(Database& database, const RunRow& run) {
  auto insert = database.Prepare(
      "INSERT INTO runs VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return insert.error();
  insert->Bind(Count(run.started)).Bind(Count(run.finished)).Bind(run.ending).Bind(run.problem);
  insert->Bind(run.mountpoint).Bind(run.need.count).Bind(run.capacity.count);
  insert->Bind(run.available_before.count).Bind(run.available_after.count);
  insert->Bind(run.predicted.count).Bind(run.measured.count).Bind(std::int64_t{run.batches});
  insert->Bind(run.trigger).Bind(std::int64_t{std::ranges::count_if(run.removals, Went)});
  insert->Bind(static_cast<std::int64_t>(run.removals.size()));
  if (const auto done = insert->Run(); !done.ok()) return done;
  return WriteRemovals(database, database.LastInsertId(), run.removals);
}

base::Result<std::int64_t> WriteIntent(Database& database, const engine::Intent& intent) {
  auto insert = database.Prepare("INSERT INTO batches(run, time, images) VALUES(?, ?, ?)");
  if (!insert.ok()) return insert.error();
  std::vector<std::string> ids;
  ids.reserve(intent.ids.size());
  for (const auto& id : intent.ids) ids.push_back(id.value);
  const auto done = insert->Bind(intent.run).Bind(Count(intent.time)).BindBlob(PackList(ids)).Run();
  if (!done.ok()) return done.error();
  return database.LastInsertId();
}

base::Status WriteFinished(Database& database, const FinishedBatch& finished) {
  auto update = database.Prepare("UPDATE batches SET finished = 1, outcomes = ? WHERE id = ?");
  if (!update.ok()) return update.error();
  const auto done = update->BindBlob(finished.outcomes).Bind(finished.batch).Run();
  return done.ok() ? database.Execute(kForgetBatches) : done;
}

base::Result<std::vector<engine::Intent>> ReadUnfinished(Database& database) {
  auto select =
      database.Prepare("SELECT id, run, time, images FROM batches WHERE finished = 0 ORDER BY id");
  if (!select.ok()) return select.error();
  std::vector<engine::Intent> intents;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return intents;
    engine::Intent intent;
    intent.batch = select->Int(0);
    intent.run = select->Int(1);
    intent.time = Time(select->Int(2));
    const auto ids = UnpackList(select->Bytes(3));
    if (!ids) return base::Error{base::ErrorCode::kInternal, "a batch cannot be decoded"};
    for (const auto& id : *ids) intent.ids.push_back({id});
    intents.push_back(std::move(intent));
  }
}

// What failed in a run that had to stop says nothing about the image. SQLite takes the other
// columns of a group from the row that has the maximum.
base::Result<std::map<std::string, image::Setback>> ReadSetbacks(Database& database) {
  auto select = database.Prepare(
      "SELECT tried.id, count(*), max(runs.finished), tried.outcome, tried.detail "
      "FROM removals AS tried JOIN runs ON runs.id = tried.run "
      "WHERE tried.outcome IN ('failed', 'held') AND runs.ending <> 'stopped' AND tried.run > "
      "coalesce((SELECT max(run) "
      "FROM removals WHERE id = tried.id AND outcome IN ('removed', 'gone')), 0) GROUP BY "
      "tried.id");
  if (!select.ok()) return select.error();
  std::map<std::string, image::Setback> setbacks;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return setbacks;
    setbacks[std::string(select->Bytes(0))] = {
        .count = static_cast<int>(std::min<std::int64_t>(select->Int(1), 1000)),
        .last = Time(select->Int(2)),
        .held = select->Bytes(3) == image::Code(image::Outcome::kHeld),
        .detail = std::string(select->Bytes(4))};
  }
}

void CountSetbacks(const RunRow& run, std::map<std::string, image::Setback>& setbacks) {
  if (run.ending == image::Code(image::Ending::kStopped)) return;
  for (const RemovalRow& row : run.removals) {
    const bool held = row.outcome == image::Code(image::Outcome::kHeld);
    if (held || row.outcome == image::Code(image::Outcome::kFailed)) {
      image::Setback& setback = setbacks[row.id];
      setback = {setback.count + 1, run.finished, held, row.detail};
    } else if (row.outcome == image::Code(image::Outcome::kRemoved) ||
               row.outcome == image::Code(image::Outcome::kGone)) {
      setbacks.erase(row.id);
    }
  }
}

}  // namespace ebb::history
