// Usage history in one SQLite file of the state directory.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/ports.h"
#include "history/open.h"
#include "history/run_table.h"

namespace ebb::history {

// Several processes may use one file at the same time; one object is for one thread at a time.
//
// What cannot be written (the disk is full, another process holds the lock) is an Error and is kept
// in memory, up to a bound: Load() and Unfinished() already tell it, and the next write writes it.
class SqliteHistory : public engine::History {
 public:
  // See OpenFile(). kRefused: the file belongs to a newer ebb. kNotFound: reading only, and nothing
  // has been recorded yet.
  static base::Result<std::unique_ptr<SqliteHistory>> Open(const OpenOptions& options);

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

  // What the operator should know about this history; one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // What could not be written yet.
  struct Kept {
    std::map<std::string, image::UsageRecord> usage;  // by ID
    std::deque<FinishedBatch> finished;
    std::deque<RunRow> runs;

    bool Empty() const { return usage.empty() && finished.empty() && runs.empty(); }
    void Bound();
  };

  SqliteHistory(Database database, std::string path)
      : database_(std::move(database)), path_(std::move(path)) {}
  base::Status WriteKept();
  base::Status TryWriteKept();
  base::Error In(const char* what, const base::Error& error) const;

  Database database_;
  std::string path_;
  std::vector<std::string> notes_;
  Kept kept_;
};

}  // namespace ebb::history
