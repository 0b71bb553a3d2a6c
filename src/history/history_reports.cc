// The rest of SqliteHistory: samples, small facts, forgetting, and what reports read.
#include <algorithm>
#include <utility>

#include "history/history.h"
#include "history/meta_table.h"
#include "history/retention.h"

namespace ebb::history {

base::Status SqliteHistory::SaveSample(const image::Filesystem& filesystem, base::TimePoint time) {
  if (!filesystem.measured()) return base::Done{};
  const std::int64_t minute = MinuteOf(time);
  const auto [latest, fresh] = latest_minute_.try_emplace(filesystem.mountpoint, minute);
  if (!fresh && std::exchange(latest->second, minute) == minute) return base::Done{};
  kept_.samples.push_back({.mountpoint = filesystem.mountpoint,
                           .sample = {.time = time,
                                      .capacity = filesystem.capacity,
                                      .available = filesystem.available,
                                      .inodes_free = filesystem.inodes_free}});
  return WriteKept();
}

base::Result<std::vector<image::Sample>> SqliteHistory::Samples(std::string_view mountpoint,
                                                                const image::Period& period) {
  auto samples = ReadSamples(database_, mountpoint, period);
  if (!samples.ok()) return In("read samples", samples.error());
  for (const SampleRow& row : kept_.samples) {
    const base::TimePoint time = row.sample.time;
    if (row.mountpoint == mountpoint && time >= period.since && time <= period.until) {
      samples->push_back(row.sample);
    }
  }
  if (!kept_.samples.empty()) std::ranges::sort(*samples, {}, &image::Sample::time);
  return samples;
}

base::Status SqliteHistory::Remember(std::string_view key, std::string_view value) {
  kept_.meta.insert_or_assign(std::string(key), std::string(value));
  return WriteKept();
}

base::Result<std::optional<std::string>> SqliteHistory::Recall(std::string_view key) {
  const auto kept = kept_.meta.find(std::string(key));
  if (kept != kept_.meta.end()) return std::optional(kept->second);
  auto value = ReadMeta(database_, key);
  if (!value.ok()) return In("recall", value.error());
  return value;
}

base::Status SqliteHistory::Forget(base::TimePoint now) {
  const auto forgotten = Write([&] { return ForgetOld(database_, now); });
  return forgotten.ok() ? forgotten : In("forget what is old", forgotten.error());
}

base::Result<std::vector<image::PastRun>> SqliteHistory::Runs(const PastQuery& query) {
  auto runs = ReadRuns(database_, query);
  if (!runs.ok()) return In("read runs", runs.error());
  return runs;
}

base::Result<std::vector<image::PastRemoval>> SqliteHistory::Removals(const PastQuery& query) {
  auto removals = ReadRemovals(database_, query);
  if (!removals.ok()) return In("read removals", removals.error());
  return removals;
}

base::Result<std::vector<image::Regret>> SqliteHistory::Regrets(const PastQuery& query) {
  const auto removals = Removals(query);
  if (!removals.ok()) return removals.error();
  const auto records = Load();
  if (!records.ok()) return records.error();
  return image::FindRegrets(*removals, *records);
}

base::Result<std::vector<std::string>> SqliteHistory::Mountpoints() {
  auto mountpoints = ReadMountpoints(database_);
  if (!mountpoints.ok()) return In("read samples", mountpoints.error());
  return mountpoints;
}

}  // namespace ebb::history
