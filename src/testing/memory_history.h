// Usage history in memory, with faults on demand.
#pragma once

#include <map>
#include <optional>
#include <string>
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
  base::Status SaveSample(const image::Filesystem& filesystem, base::TimePoint time) override;
  base::Result<std::vector<image::Sample>> Samples(std::string_view mountpoint,
                                                   const image::Period& period) override;
  base::Status Remember(std::string_view key, std::string_view value) override;
  base::Result<std::optional<std::string>> Recall(std::string_view key) override;
  // Nothing is ever too old for it; the call is counted.
  base::Status Forget(base::TimePoint now) override;

  // Set: every read, or every write, answers this.
  std::optional<base::Error> fail_reads;
  std::optional<base::Error> fail_writes;

  // What is remembered; a test may read and change it.
  std::vector<image::UsageRecord> records;
  engine::Facts facts;
  std::vector<Batch> batches;
  std::vector<image::Report> runs;
  std::map<std::string, image::Setback> setbacks;
  std::map<std::string, std::vector<image::Sample>> samples;  // by mountpoint
  std::map<std::string, std::string> meta;
  std::vector<base::TimePoint> forgotten;  // the times of Forget()
};

}  // namespace ebb::testing
