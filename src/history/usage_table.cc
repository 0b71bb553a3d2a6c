#include "history/usage_table.h"

#include <cmath>

#include "history/times.h"

namespace ebb::history {
namespace {

constexpr double kMillionths = 1e6;

constexpr std::string_view kUpsert = R"(
INSERT INTO usage VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET
  name = excluded.name, first_seen = excluded.first_seen, last_used = excluded.last_used,
  last_pulled = excluded.last_pulled, starts = excluded.starts, pulls = excluded.pulls,
  present = excluded.present, latest_start = excluded.latest_start,
  recent_starts = excluded.recent_starts, in_use = excluded.in_use
WHERE (name, first_seen, last_used, last_pulled, starts, pulls, present, latest_start,
       recent_starts, in_use) <>
  (excluded.name, excluded.first_seen, excluded.last_used, excluded.last_pulled, excluded.starts,
   excluded.pulls, excluded.present, excluded.latest_start, excluded.recent_starts,
   excluded.in_use))";

constexpr const char* kForget = R"(
DELETE FROM usage WHERE NOT present AND id NOT IN (
  SELECT id FROM usage WHERE NOT present
  ORDER BY max(first_seen, last_used, last_pulled) DESC LIMIT 2000))";
static_assert(kMaxAbsent == 2000, "kForget names the number");

image::UsageRecord FromRow(const Statement& row) {
  image::UsageRecord record;
  record.id.value = row.Bytes(0);
  record.name = row.Bytes(1);
  record.usage.first_seen = Time(row.Int(2));
  record.usage.last_used = Time(row.Int(3));
  record.usage.last_pulled = Time(row.Int(4));
  record.usage.starts = static_cast<int>(row.Int(5));
  record.usage.pulls = static_cast<int>(row.Int(6));
  record.present = row.Int(7) != 0;
  record.latest_start = Time(row.Int(8));
  record.usage.last_start = record.latest_start;
  record.usage.recent_starts = static_cast<double>(row.Int(9)) / kMillionths;
  record.in_use = row.Int(10) != 0;
  return record;
}

}  // namespace

base::Result<std::vector<image::UsageRecord>> ReadUsage(Database& database) {
  auto statement = database.Prepare("SELECT * FROM usage ORDER BY id");
  if (!statement.ok()) return statement.error();
  std::vector<image::UsageRecord> records;
  for (;;) {
    const auto row = statement->Step();
    if (!row.ok()) return row.error();
    if (!*row) return records;
    records.push_back(FromRow(*statement));
  }
}

base::Status WriteUsage(Database& database,
                        const std::map<std::string, image::UsageRecord>& by_id) {
  if (by_id.empty()) return base::Done{};
  auto upsert = database.Prepare(kUpsert);
  if (!upsert.ok()) return upsert.error();
  for (const auto& [id, record] : by_id) {
    const image::Usage& usage = record.usage;
    upsert->Bind(id).Bind(record.name);
    upsert->Bind(Count(usage.first_seen)).Bind(Count(usage.last_used));
    upsert->Bind(Count(usage.last_pulled)).Bind(std::int64_t{usage.starts});
    upsert->Bind(std::int64_t{usage.pulls}).Bind(std::int64_t{record.present ? 1 : 0});
    upsert->Bind(Count(record.latest_start));
    upsert->Bind(std::int64_t{std::llround(usage.recent_starts * kMillionths)});
    upsert->Bind(std::int64_t{record.in_use ? 1 : 0});
    if (const auto done = upsert->Run(); !done.ok()) return done;
  }
  const auto absent = database.Number("SELECT count(*) FROM usage WHERE NOT present");
  if (!absent.ok()) return absent.error();
  return *absent > kMaxAbsent ? database.Execute(kForget) : base::Done{};
}

}  // namespace ebb::history
