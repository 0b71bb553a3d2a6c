#include "testing/memory_history.h"

#include <algorithm>
#include <set>

namespace ebb::testing {

namespace {

template <class Value>
void Keep(std::map<std::string, Value>& facts, const std::set<std::string>& ids) {
  std::erase_if(facts, [&](const auto& fact) { return !ids.contains(fact.first); });
}

}  // namespace

base::Result<std::vector<image::UsageRecord>> MemoryHistory::Load() {
  if (fail_reads) return *fail_reads;
  return records;
}

base::Status MemoryHistory::Save(std::span<const image::UsageRecord> saved) {
  if (fail_writes) return *fail_writes;
  for (const image::UsageRecord& record : saved) {
    const auto known = std::ranges::find(records, record.id, &image::UsageRecord::id);
    if (known == records.end()) {
      records.push_back(record);
    } else {
      *known = record;
    }
  }
  return base::Done{};
}

base::Result<engine::Facts> MemoryHistory::LoadFacts() {
  if (fail_reads) return *fail_reads;
  return facts;
}

base::Status MemoryHistory::SaveFacts(const engine::FactBook& book, const engine::Inventory& seen) {
  if (fail_writes) return *fail_writes;
  const engine::Facts& fresh = book.fresh;
  for (const auto& [id, layers] : fresh.layers) facts.layers.insert_or_assign(id, layers);
  for (const auto& [id, name] : fresh.sandbox_images)
    facts.sandbox_images.insert_or_assign(id, name);
  for (const auto& [id, images] : fresh.volumes) facts.volumes.insert_or_assign(id, images);
  for (const auto& [key, bytes] : fresh.snapshots) facts.snapshots.insert_or_assign(key, bytes);
  std::erase_if(facts.snapshots,
                [&](const auto& fact) { return !book.all.snapshots.contains(fact.first); });
  std::set<std::string> ids;
  for (const image::Image& image : seen.images) ids.insert(image.id.value);
  for (const image::Container& container : seen.containers) ids.insert(container.id);
  for (const image::Sandbox& sandbox : seen.sandboxes) ids.insert(sandbox.id);
  Keep(facts.layers, ids);
  Keep(facts.sandbox_images, ids);
  Keep(facts.volumes, ids);
  return base::Done{};
}

base::Result<std::int64_t> MemoryHistory::Begin(const engine::Intent& intent) {
  if (fail_writes) return *fail_writes;
  batches.push_back({.intent = intent});
  return static_cast<std::int64_t>(batches.size());
}

base::Status MemoryHistory::Finish(std::int64_t batch,
                                   std::span<const engine::RemovalResult> results) {
  if (fail_writes) return *fail_writes;
  if (batch < 1 || batch > static_cast<std::int64_t>(batches.size())) {
    return base::Error{base::ErrorCode::kInternal, "no such batch"};
  }
  Batch& begun = batches[static_cast<std::size_t>(batch - 1)];
  begun.finished = true;
  begun.results.assign(results.begin(), results.end());
  return base::Done{};
}

base::Result<std::vector<engine::Intent>> MemoryHistory::Unfinished() {
  if (fail_reads) return *fail_reads;
  std::vector<engine::Intent> intents;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (batches[i].finished) continue;
    intents.push_back(batches[i].intent);
    intents.back().batch = static_cast<std::int64_t>(i + 1);
  }
  return intents;
}

base::Status MemoryHistory::RecordRun(const image::Report& report, const image::Observation& seen) {
  if (fail_writes) return *fail_writes;
  runs.push_back(report);
  for (const image::Removal& removal : report.removals) {
    if (removal.outcome != image::Outcome::kRemoved) continue;
    const auto known =
        std::ranges::find(records, seen.images[removal.image].id, &image::UsageRecord::id);
    if (known != records.end()) known->present = false;
  }
  if (report.ending == image::Ending::kStopped) return base::Done{};
  for (const image::Removal& removal : report.removals) {
    const std::string& id = seen.images[removal.image].id.value;
    const bool held = removal.outcome == image::Outcome::kHeld;
    if (held || removal.outcome == image::Outcome::kFailed) {
      image::Setback& setback = setbacks[id];
      setback = {setback.count + 1, report.finished, held, removal.detail};
    } else if (removal.outcome == image::Outcome::kRemoved) {
      setbacks.erase(id);
    }
  }
  return base::Done{};
}

base::Result<std::map<std::string, image::Setback>> MemoryHistory::Setbacks() {
  if (fail_reads) return *fail_reads;
  return setbacks;
}

base::Result<std::optional<image::PastRemoval>> MemoryHistory::FindRemoval(std::string_view) {
  if (fail_reads) return *fail_reads;
  return std::optional<image::PastRemoval>();
}

base::Status MemoryHistory::SaveSample(const image::Filesystem& filesystem, base::TimePoint time) {
  if (fail_writes) return *fail_writes;
  if (!filesystem.measured()) return base::Done{};
  std::vector<image::Sample>& known = samples[filesystem.mountpoint];
  const auto minute = [](base::TimePoint at) {
    return std::chrono::floor<std::chrono::minutes>(at);
  };
  if (!known.empty() && minute(known.back().time) == minute(time)) return base::Done{};
  known.push_back({.time = time,
                   .capacity = filesystem.capacity,
                   .available = filesystem.available,
                   .inodes_free = filesystem.inodes_free});
  return base::Done{};
}

base::Result<std::vector<image::Sample>> MemoryHistory::Samples(std::string_view mountpoint,
                                                                const image::Period& period) {
  if (fail_reads) return *fail_reads;
  std::vector<image::Sample> within = samples[std::string(mountpoint)];
  std::erase_if(within, [&](const image::Sample& sample) {
    return sample.time < period.since || sample.time > period.until;
  });
  std::ranges::sort(within, {}, &image::Sample::time);
  return within;
}

base::Status MemoryHistory::Remember(std::string_view key, std::string_view value) {
  if (fail_writes) return *fail_writes;
  meta.insert_or_assign(std::string(key), std::string(value));
  return base::Done{};
}

base::Result<std::optional<std::string>> MemoryHistory::Recall(std::string_view key) {
  if (fail_reads) return *fail_reads;
  const auto known = meta.find(std::string(key));
  return known == meta.end() ? std::nullopt : std::optional(known->second);
}

base::Status MemoryHistory::Forget(base::TimePoint now) {
  if (fail_writes) return *fail_writes;
  forgotten.push_back(now);
  return base::Done{};
}

}  // namespace ebb::testing
