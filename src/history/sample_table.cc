#include "history/sample_table.h"

#include "history/times.h"

namespace ebb::history {

std::int64_t MinuteOf(base::TimePoint time) {
  return std::chrono::floor<std::chrono::minutes>(time).time_since_epoch().count();
}

base::Status WriteSample(Database& database, const SampleRow& row) {
  auto insert = database.Prepare("INSERT OR REPLACE INTO samples VALUES(?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return insert.error();
  const image::Sample& sample = row.sample;
  insert->Bind(row.mountpoint).Bind(MinuteOf(sample.time)).Bind(Count(sample.time));
  insert->Bind(sample.capacity.count).Bind(sample.available.count).Bind(sample.inodes_free);
  return insert->Run();
}

base::Result<std::vector<image::Sample>> ReadSamples(Database& database,
                                                     std::string_view mountpoint,
                                                     const image::Period& period) {
  auto select = database.Prepare(
      "SELECT time, capacity, available, inodes_free FROM samples "
      "WHERE mountpoint = ? AND minute BETWEEN ? AND ? AND time BETWEEN ? AND ? ORDER BY minute");
  if (!select.ok()) return select.error();
  select->Bind(mountpoint).Bind(MinuteOf(period.since)).Bind(MinuteOf(period.until));
  select->Bind(Count(period.since)).Bind(Count(period.until));
  std::vector<image::Sample> samples;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return samples;
    samples.push_back({.time = Time(select->Int(0)),
                       .capacity = {select->Int(1)},
                       .available = {select->Int(2)},
                       .inodes_free = select->Int(3)});
  }
}

base::Result<std::vector<std::string>> ReadMountpoints(Database& database) {
  auto select = database.Prepare("SELECT DISTINCT mountpoint FROM samples ORDER BY mountpoint");
  if (!select.ok()) return select.error();
  std::vector<std::string> mountpoints;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return mountpoints;
    mountpoints.emplace_back(select->Bytes(0));
  }
}

}  // namespace ebb::history
