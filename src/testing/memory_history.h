// Usage history in memory, with faults on demand.
#pragma once

#include <optional>
#include <vector>

#include "engine/ports.h"

namespace ebb::testing {

class MemoryHistory : public engine::History {
 public:
  struct Batch {
    engine::Intent intent;
    bool finished = false;
    std::vector<engine::RemovalResult> results;
  };

  base::Result<std::vector<image::UsageRecord>> Load() override;
  base::Status Save(std::span<const image::UsageRecord> records) override;
  base::Result<engine::Facts> LoadFacts() override;
  base::Status SaveFacts(const engine::FactBook& book, const engine::Inventory& seen) override;
  base::Result<std::int64_t> Begin(const engine::Intent& intent) override;
  base::Status Finish(std::int64_t batch, std::span<const engine::RemovalResult> results) override;
  base::Result<std::vector<engine::Intent>> Unfinished() override;
  base::Status RecordRun(const image::Report& report, const image::Observation& seen) override;
  base::Result<std::map<std::string, image::Setback>> Setbacks() override;
  // Runs are kept as reports, without names: nothing is ever found.
  base::Result<std::optional<image::PastRemoval>> FindRemoval(std::string_view image) override;

  // Set: every read, or every write, answers this.
  std::optional<base::Error> fail_reads;
  std::optional<base::Error> fail_writes;

  // What is remembered; a test may read and change it.
  std::vector<image::UsageRecord> records;
  engine::Facts facts;
  std::vector<Batch> batches;
  std::vector<image::Report> runs;
  std::map<std::string, image::Setback> setbacks;
};

}  // namespace ebb::testing
