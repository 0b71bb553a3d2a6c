#include "history/kept.h"

#include "history/meta_table.h"
#include "history/retention.h"
#include "history/usage_table.h"

namespace ebb::history {
namespace {

constexpr std::size_t kMaxKeptUsage = 4096;
constexpr std::size_t kMaxKeptBatches = 256;
constexpr std::size_t kMaxKeptRuns = 64;
constexpr std::size_t kMaxKeptSamples = 1024;  // most of a day of one filesystem

// A run is the moment to look whether older ones may go: nothing else makes the file grow much.
base::Status WriteRuns(Database& database, const std::deque<RunRow>& runs) {
  for (const RunRow& run : runs) {
    if (const auto done = WriteRun(database, run); !done.ok()) return done;
    if (const auto done = ForgetOld(database, run.finished); !done.ok()) return done;
  }
  return base::Done{};
}

}  // namespace

bool Kept::Empty() const {
  return usage.empty() && finished.empty() && runs.empty() && samples.empty() && meta.empty();
}

void Kept::Bound() {
  if (usage.size() > kMaxKeptUsage) {
    std::erase_if(usage, [](const auto& kept) { return !kept.second.present; });
  }
  while (finished.size() > kMaxKeptBatches) finished.pop_front();
  while (runs.size() > kMaxKeptRuns) runs.pop_front();
  while (samples.size() > kMaxKeptSamples) samples.pop_front();
}

base::Status Kept::Write(Database& database) const {
  if (const auto done = WriteUsage(database, usage); !done.ok()) return done;
  for (const FinishedBatch& batch : finished) {
    if (const auto done = WriteFinished(database, batch); !done.ok()) return done;
  }
  for (const SampleRow& sample : samples) {
    if (const auto done = WriteSample(database, sample); !done.ok()) return done;
  }
  for (const auto& [key, value] : meta) {
    if (const auto done = WriteMeta(database, key, value); !done.ok()) return done;
  }
  return WriteRuns(database, runs);
}

}  // namespace ebb::history
