#include "history/schema.h"

#include <array>
#include <string>

namespace ebb::history {
namespace {

// "ebb" in SQLite's header: a database of another program is recognised and left alone.
constexpr std::int64_t kApplicationId = 0x656262;

// Times are nanoseconds since 1970 in UTC, 0 where not known; sizes are bytes. Reasons, outcomes
// and endings are the stable codes of reports, so that the file can be read without this program;
// the blobs are packed as in codec.h.
constexpr const char* kTables = R"(
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
)";

// Recent starts are millionths of a start, as of latest_start.
constexpr const char* kRecentStarts = R"(
ALTER TABLE usage ADD COLUMN recent_starts INTEGER NOT NULL DEFAULT 0;
CREATE INDEX setbacks ON removals(id) WHERE outcome IN ('failed', 'held');
CREATE INDEX successes ON removals(id, run) WHERE outcome IN ('removed', 'gone');
)";

// A run says what began it, how many images went and how many of its removals are still kept; a
// removal, how large the image was and when its stay began. meta holds small facts of the daemon.
constexpr const char* kDaemon = R"(
ALTER TABLE usage ADD COLUMN in_use INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN started_by TEXT NOT NULL DEFAULT 'collect';
ALTER TABLE runs ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
ALTER TABLE removals ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE removals ADD COLUMN first_seen INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET
  kept = (SELECT count(*) FROM removals WHERE run = runs.id),
  removed = (SELECT count(*) FROM removals
             WHERE run = runs.id AND outcome IN ('removed', 'gone', 'raced'));
CREATE INDEX runs_by_end ON runs(finished, kept);
CREATE TABLE samples(
  mountpoint TEXT NOT NULL, minute INTEGER NOT NULL, time INTEGER NOT NULL,
  capacity INTEGER NOT NULL, available INTEGER NOT NULL, inodes_free INTEGER NOT NULL,
  PRIMARY KEY(mountpoint, minute)) WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
)";

// Step i makes version i + 1 of what version i left. A step is never changed, only followed.
constexpr std::array kSteps = {kTables, kRecentStarts, kDaemon};
static_assert(kSteps.size() == kSchemaVersion);

base::Error Refused(const std::string& message) {
  return {base::ErrorCode::kRefused, message};
}

// The version is read again under the write lock: another process may have been faster.
base::Status BringUpToDate(Database& database) {
  auto transaction = Transaction::Begin(database);
  if (!transaction.ok()) return transaction.error();
  const auto version = database.Number("PRAGMA user_version");
  if (!version.ok()) return version.error();
  for (std::size_t step = static_cast<std::size_t>(*version); step < kSteps.size(); ++step) {
    if (const auto made = database.Execute(kSteps[step]); !made.ok()) return made;
  }
  const std::string stamp = "PRAGMA user_version = " + std::to_string(kSchemaVersion);
  if (const auto made = database.Execute(stamp.c_str()); !made.ok()) return made;
  return transaction->Commit();
}

}  // namespace

base::Status CheckSchema(Database& database, Database::Access access) {
  const auto version = database.Number("PRAGMA user_version");
  if (!version.ok()) return version.error();
  const auto application = database.Number("PRAGMA application_id");
  if (!application.ok()) return application.error();
  const auto tables = database.Number("SELECT count(*) FROM sqlite_schema");
  if (!tables.ok()) return tables.error();
  if (*version == 0 && *application == 0 && *tables == 0) {
    if (access == Database::Access::kReadOnly) {
      return base::Error{base::ErrorCode::kNotFound, "nothing has been recorded yet"};
    }
    return BringUpToDate(database);
  }
  if (*application != kApplicationId) {
    return Refused("it is the database of another program; move it away or name another directory");
  }
  if (*version > kSchemaVersion) {
    return Refused("it was written by a newer ebb (schema " + std::to_string(*version) +
                   ", this one knows " + std::to_string(kSchemaVersion) +
                   "); upgrade ebb, or move the file away to start a new history");
  }
  if (*version < kSchemaVersion) {
    if (access == Database::Access::kReadWrite) return BringUpToDate(database);
    return Refused(
        "it was written by an older ebb; the first run that may write brings it up to date");
  }
  return base::Done{};
}

}  // namespace ebb::history
