// Batches and runs as rows: what was about to be removed, and what came of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/ports.h"
#include "history/sqlite.h"

namespace ebb::history {

// The newest finished batches that are kept.
inline constexpr std::int64_t kMaxBatches = 1000;

struct RemovalRow {
  std::string id;
  std::string name;
  std::string reason;
  std::string outcome;
  std::string detail;
  base::Bytes predicted;
  base::Bytes size;
  base::TimePoint first_seen = base::kNever;
};

struct RunRow {
  base::TimePoint started = base::kNever;
  base::TimePoint finished = base::kNever;
  std::string trigger;
  std::string ending;
  std::string problem;
  std::string mountpoint;
  base::Bytes need;
  base::Bytes capacity;
  base::Bytes available_before;
  base::Bytes available_after;
  base::Bytes predicted;
  base::Bytes measured;
  int batches = 0;
  std::vector<RemovalRow> removals;
};

struct FinishedBatch {
  std::int64_t batch = 0;
  std::string outcomes;  // packed: code, detail, code, detail, ...
};

// What is kept of a report: everything about its removals, nothing about images that stay.
RunRow MakeRunRow(const image::Report& report, const image::Observation& seen);
FinishedBatch MakeFinishedBatch(std::int64_t batch, std::span<const engine::RemovalResult> results);

// All within the caller's transaction.
base::Status WriteRun(Database& database, const RunRow& run);
base::Result<std::int64_t> WriteIntent(Database& database, const engine::Intent& intent);
base::Status WriteFinished(Database& database, const FinishedBatch& finished);
base::Result<std::vector<engine::Intent>> ReadUnfinished(Database& database);
// See engine::History::Setbacks().
base::Result<std::map<std::string, image::Setback>> ReadSetbacks(Database& database);
// The same after one more run, which is not in the file yet.
void CountSetbacks(const RunRow& run, std::map<std::string, image::Setback>& setbacks);

}  // namespace ebb::history
