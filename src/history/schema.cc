#include "history/schema.h"

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
CREATE INDEX setbacks ON removals(id) WHERE outcome IN ('failed', 'held');
PRAGMA application_id = 0x656262;
PRAGMA user_version = 1;
)";

base::Error Refused(const std::string& message) {
  return {base::ErrorCode::kRefused, message};
}

base::Status CreateTables(Database& database) {
  auto transaction = Transaction::Begin(database);
  if (!transaction.ok()) return transaction.error();
  if (const auto made = database.Execute(kTables); !made.ok()) return made;
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
    return CreateTables(database);
  }
  if (*application != kApplicationId) {
    return Refused("it is the database of another program; move it away or name another directory");
  }
  if (*version > kSchemaVersion) {
    return Refused("it was written by a newer ebb (schema " + std::to_string(*version) +
                   ", this one knows " + std::to_string(kSchemaVersion) +
                   "); upgrade ebb, or move the file away to start a new history");
  }
  return base::Done{};
}

}  // namespace ebb::history
