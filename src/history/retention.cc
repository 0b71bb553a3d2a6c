#include "history/retention.h"

#include "history/times.h"

namespace ebb::history {
namespace {

constexpr const char* kOldRemovals =
    "DELETE FROM removals WHERE run IN "
    "(SELECT id FROM runs WHERE finished < ? ORDER BY finished LIMIT 200)";
constexpr const char* kOldRuns =
    "DELETE FROM runs WHERE id IN "
    "(SELECT id FROM runs WHERE finished < ? ORDER BY finished LIMIT 200)";
constexpr const char* kOldSamples = "DELETE FROM samples WHERE time < ?";

// The latest removal of an image answers where it went: it goes last.
constexpr const char* kExcess = R"(
DELETE FROM removals WHERE (run, place) IN (
  SELECT run, place FROM removals AS old
  ORDER BY EXISTS(SELECT 1 FROM removals AS later WHERE later.id = old.id AND later.run > old.run
                  AND later.outcome IN ('removed', 'gone')) DESC, run, place
  LIMIT ?))";

constexpr const char* kRecount = R"(
UPDATE runs SET kept = (SELECT count(*) FROM removals WHERE run = runs.id);
DELETE FROM runs WHERE kept = 0;)";

base::Status Run(Database& database, const char* sql, std::int64_t value) {
  auto statement = database.Prepare(sql);
  if (!statement.ok()) return statement.error();
  return statement->Bind(value).Run();
}

base::Status BoundRemovals(Database& database) {
  constexpr std::int64_t kSlack = kMaxRemovals / 100;
  const auto kept = database.Number("SELECT total(kept) FROM runs");
  if (!kept.ok()) return kept.error();
  if (*kept <= kMaxRemovals) return base::Done{};
  const auto dropped = Run(database, kExcess, *kept - kMaxRemovals + kSlack);
  return dropped.ok() ? database.Execute(kRecount) : dropped;
}

}  // namespace

base::Status ForgetOld(Database& database, base::TimePoint now) {
  const std::int64_t before = Count(now - kKeepRuns);
  for (const char* const sql : {kOldRemovals, kOldRuns}) {
    if (const auto done = Run(database, sql, before); !done.ok()) return done;
  }
  if (const auto done = Run(database, kOldSamples, Count(now - kKeepSamples)); !done.ok()) {
    return done;
  }
  return BoundRemovals(database);
}

}  // namespace ebb::history
