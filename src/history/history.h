// Usage history in one SQLite file of the state directory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/ports.h"
#include "history/kept.h"
#include "history/open.h"
#include "history/past_table.h"

namespace ebb::history {

// A file that could not be opened for writing yet.
struct Unopened {
  OpenOptions options;
  base::Error why;
  std::chrono::steady_clock::time_point tried;
};

// Several processes may use one file at the same time; one object is for one thread at a time.
//
// What cannot be written (the disk is full, another process holds the lock) is an Error and is kept
// in memory, up to a bound: Load(), Unfinished(), Setbacks(), Samples() and Recall() already tell
// it, and the next write writes it.
class SqliteHistory : public engine::History {
 public:
  // See OpenFile(). kRefused: the file belongs to a newer ebb. kNotFound: reading only, and nothing
  // has been recorded yet.
  static base::Result<std::unique_ptr<SqliteHistory>> Open(const OpenOptions& options);
  // As Open() for writing, but a file that cannot be opened is only opened later: until then what
  // is in it as far as it can be read, else nothing, and everything recorded is kept in memory.
  // Writing returns why.
  static base::Result<std::unique_ptr<SqliteHistory>> OpenOrKeep(const OpenOptions& options);

  base::Result<std::vector<image::UsageRecord>> Load() override;
  base::Status Save(std::span<const image::UsageRecord> records) override;
  base::Result<engine::Facts> LoadFacts() override;
  base::Status SaveFacts(const engine::FactBook& book, const engine::Inventory& seen) override;
  // The intent is on the disk, not only handed to the system, when this returns: it has to outlive
  // a power cut in the middle of the very removals it announces. An fsync per batch buys that; all
  // other writes may lose their last moments in a power cut, and lose nothing in a kill.
  base::Result<std::int64_t> Begin(const engine::Intent& intent) override;
  // Without results: nobody knows what came of the batch, and it has been dealt with.
  base::Status Finish(std::int64_t batch, std::span<const engine::RemovalResult> results) override;
  // Only whoever holds the run lock can tell a crash from a batch that is under way.
  base::Result<std::vector<engine::Intent>> Unfinished() override;
  base::Status RecordRun(const image::Report& report, const image::Observation& seen) override;
  base::Result<std::map<std::string, image::Setback>> Setbacks() override;
  base::Result<std::optional<image::PastRemoval>> FindRemoval(std::string_view image) override;
  base::Status SaveSample(const image::Filesystem& filesystem, base::TimePoint time) override;
  base::Result<std::vector<image::Sample>> Samples(std::string_view mountpoint,
                                                   const image::Period& period) override;
  base::Status Remember(std::string_view key, std::string_view value) override;
  base::Result<std::optional<std::string>> Recall(std::string_view key) override;
  // See ForgetOld().
  base::Status Forget(base::TimePoint now) override;

  // What is in the file, for reports. See ReadRuns() and ReadRemovals().
  base::Result<std::vector<image::PastRun>> Runs(const PastQuery& query);
  base::Result<std::vector<image::PastRemoval>> Removals(const PastQuery& query);
  // Removals of these runs that were undone, by what the file tells of later stays.
  base::Result<std::vector<image::Regret>> Regrets(const PastQuery& query);
  base::Result<std::vector<std::string>> Mountpoints();

  std::string directory() const { return path_.substr(0, path_.rfind('/')); }
  // What the operator should know about how the file was opened; one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  SqliteHistory(Database database, std::string path)
      : database_(std::move(database)), path_(std::move(path)) {}
  base::Status WriteKept();
  // Tries the file again that could not be opened.
  base::Status OpenAgain();
  // In a transaction of its own.
  base::Status Write(const std::function<base::Status()>& rows);
  base::Error In(const char* what, const base::Error& error) const;

  Database database_;
  std::string path_;
  std::vector<std::string> notes_;
  Kept kept_;
  std::map<std::string, std::int64_t, std::less<>> latest_minute_;  // sampled, by mountpoint
  std::optional<Unopened> unopened_;  // database_ only stands for the file
};

}  // namespace ebb::history
