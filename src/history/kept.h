// What could not be written yet, because the disk is full or somebody holds the lock.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "history/run_table.h"
#include "history/sample_table.h"
#include "image/usage.h"

namespace ebb::history {

struct Kept {
  std::map<std::string, image::UsageRecord> usage;  // by ID
  std::deque<FinishedBatch> finished;
  std::deque<RunRow> runs;
  std::deque<SampleRow> samples;
  std::map<std::string, std::string> meta;  // as many as there are names in the program

  bool Empty() const;
  // Drops the oldest of what is too much: memory is the other thing a full node is short of.
  void Bound();
  // Within the caller's transaction.
  base::Status Write(Database& database) const;
};

}  // namespace ebb::history
