#include "history/past_table.h"

#include <string>

#include "history/times.h"

namespace ebb::history {
namespace {

// A negative LIMIT is none. Binds since, run, run, limit.
constexpr const char* kChosen =
    "(SELECT * FROM runs WHERE finished >= ? AND (? = 0 OR id = ?) ORDER BY id DESC LIMIT ?)";

constexpr const char* kRemovalColumns =
    "removals.run, runs.started, runs.finished, removals.id, name, reason, outcome, detail, "
    "removals.predicted, size, first_seen";

void BindChosen(Statement& statement, const PastQuery& query) {
  statement.Bind(Count(query.since)).Bind(query.run).Bind(query.run);
  statement.Bind(query.limit > 0 ? query.limit : std::int64_t{-1});
}

std::string Text(const Statement& row, int column) {
  return std::string(row.Bytes(column));
}

image::PastRun ToRun(const Statement& row) {
  image::PastRun run{.number = row.Int(0),
                     .started = Time(row.Int(1)),
                     .finished = Time(row.Int(2)),
                     .trigger = Text(row, 3),
                     .ending = Text(row, 4),
                     .problem = Text(row, 5),
                     .mountpoint = Text(row, 6)};
  run.need = {row.Int(7)};
  run.capacity = {row.Int(8)};
  run.available_before = {row.Int(9)};
  run.available_after = {row.Int(10)};
  run.predicted = {row.Int(11)};
  run.measured = {row.Int(12)};
  run.batches = static_cast<int>(row.Int(13));
  run.removed = row.Int(14);
  return run;
}

image::PastRemoval ToRemoval(const Statement& row) {
  return {.run = row.Int(0),
          .run_started = Time(row.Int(1)),
          .time = Time(row.Int(2)),
          .id = {Text(row, 3)},
          .name = Text(row, 4),
          .reason = Text(row, 5),
          .outcome = Text(row, 6),
          .detail = Text(row, 7),
          .predicted = {row.Int(8)},
          .size = {row.Int(9)},
          .first_seen = Time(row.Int(10))};
}

}  // namespace

base::Result<std::vector<image::PastRun>> ReadRuns(Database& database, const PastQuery& query) {
  auto select = database.Prepare(
      std::string("SELECT id, started, finished, started_by, ending, problem, mountpoint, need, "
                  "capacity, available_before, available_after, predicted, measured, batches, "
                  "removed FROM ") +
      kChosen + " ORDER BY id DESC");
  if (!select.ok()) return select.error();
  BindChosen(*select, query);
  std::vector<image::PastRun> runs;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return runs;
    runs.push_back(ToRun(*select));
  }
}

base::Result<std::vector<image::PastRemoval>> ReadRemovals(Database& database,
                                                           const PastQuery& query) {
  auto select =
      database.Prepare(std::string("SELECT ") + kRemovalColumns + " FROM " + kChosen +
                       " AS runs JOIN removals ON removals.run = runs.id ORDER BY run, place");
  if (!select.ok()) return select.error();
  BindChosen(*select, query);
  std::vector<image::PastRemoval> removals;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return removals;
    removals.push_back(ToRemoval(*select));
  }
}

base::Result<std::optional<image::PastRemoval>> ReadRemoval(Database& database,
                                                            std::string_view image) {
  auto select = database.Prepare(std::string("SELECT ") + kRemovalColumns +
                                 " FROM removals JOIN runs ON runs.id = run "
                                 "WHERE (removals.id = ? OR name = ?) AND outcome <> 'not-tried' "
                                 "ORDER BY run DESC, place DESC LIMIT 1");
  if (!select.ok()) return select.error();
  select->Bind(image).Bind(image);
  const auto row = select->Step();
  if (!row.ok()) return row.error();
  if (!*row) return std::optional<image::PastRemoval>();
  return std::optional(ToRemoval(*select));
}

}  // namespace ebb::history
