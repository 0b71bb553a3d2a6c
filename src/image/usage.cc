#include "image/usage.h"

#include <algorithm>
#include <unordered_map>

#include "image/use.h"

namespace ebb::image {
namespace {

using base::kNever;
using base::TimePoint;

using Records = std::unordered_map<ImageId, UsageRecord>;

// A clock that was set back leaves times in the future: they are now, so nothing waits a year.
void ClampToNow(Usage& usage, TimePoint now) {
  for (TimePoint* time : {&usage.first_seen, &usage.last_used, &usage.last_pulled}) {
    *time = std::min(*time, now);
  }
}

std::unordered_map<ImageId, TimePoint> EarliestEvidence(const std::vector<Evidence>& evidence,
                                                        TimePoint now) {
  std::unordered_map<ImageId, TimePoint> earliest;
  for (const Evidence& found : evidence) {
    if (found.time == kNever || found.time > now) continue;
    const auto [at, fresh] = earliest.try_emplace(found.id, found.time);
    if (!fresh) at->second = std::min(at->second, found.time);
  }
  return earliest;
}

// A use that ended since the last look may have lasted until now: the minimum idle age counts from
// the latest it can have been (P2).
void NoteUse(UsageRecord& record, bool in_use, TimePoint now) {
  if (in_use || record.in_use) record.usage.last_used = now;
  record.in_use = in_use;
}

void Arrive(UsageRecord& record, const Image& image, TimePoint first_seen, TimePoint now) {
  const bool returning = record.usage.pulls > 0;
  record.id = image.id;
  record.in_use = false;
  record.usage.first_seen = returning ? now : first_seen;
  if (returning) record.usage.last_pulled = now;
  ++record.usage.pulls;
}

// One more start, at `created`, which may be older or newer than those before.
void AddStart(Usage& usage, TimePoint created) {
  const TimePoint newest = std::max(usage.last_start, created);
  const Usage one{.last_start = created, .recent_starts = 1};
  usage.recent_starts =
      (usage.recent_starts > 0 ? RecentStarts(usage, newest) : 0) + RecentStarts(one, newest);
  usage.last_start = newest;
  ++usage.starts;
}

void CountStarts(UsageRecord& record, const Observation& seen,
                 const std::vector<std::size_t>& users) {
  record.usage.last_start = record.latest_start;
  for (const std::size_t c : users) {
    const TimePoint created = std::min(seen.containers[c].created_at, seen.taken_at);
    if (created > record.latest_start) AddStart(record.usage, created);
    // A container older than our first sight of the image is evidence of an earlier arrival.
    if (created != kNever) record.usage.first_seen = std::min(record.usage.first_seen, created);
  }
  record.latest_start = record.usage.last_start;
}

// It was used when the container was made, and nobody knows for how much longer.
void CountPassed(UsageRecord& record, const Observation& seen,
                 const std::vector<std::size_t>& users) {
  for (const std::size_t c : users) {
    const TimePoint created = std::min(seen.passed[c].created_at, seen.taken_at);
    if (created > record.latest_start) AddStart(record.usage, created);
    record.latest_start = std::max(record.latest_start, created);
    record.usage.last_used = seen.taken_at;
  }
}

}  // namespace

std::vector<UsageRecord> Advance(std::vector<UsageRecord> records, const Observation& seen,
                                 const std::vector<Evidence>& evidence) {
  Records known;
  for (UsageRecord& record : records) {
    const ImageId id = record.id;
    known.emplace(id, std::move(record));
  }
  const Uses uses = ResolveUses(seen.images, seen.containers);
  const Uses passed = ResolveUses(seen.images, seen.passed);
  const auto earliest = EarliestEvidence(evidence, seen.taken_at);
  std::unordered_map<ImageId, bool> listed;
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    const Image& image = seen.images[i];
    if (image.id.value.empty()) continue;
    listed[image.id] = true;
    UsageRecord& record = known[image.id];
    if (!record.present) {
      const auto at = earliest.find(image.id);
      Arrive(record, image, at == earliest.end() ? seen.taken_at : at->second, seen.taken_at);
    }
    record.present = true;
    record.name = DisplayName(image);
    ClampToNow(record.usage, seen.taken_at);
    record.latest_start = std::min(record.latest_start, seen.taken_at);
    CountStarts(record, seen, uses.by_container[i]);
    NoteUse(record, !uses.by_container[i].empty() || !uses.by_volume[i].empty(), seen.taken_at);
    CountPassed(record, seen, passed.by_container[i]);
  }
  records.clear();
  for (auto& [id, record] : known) {
    record.present = listed.contains(id);
    records.push_back(std::move(record));
  }
  std::ranges::sort(records, {}, &UsageRecord::id);
  return records;
}

UsageRecord Joined(const UsageRecord& earlier, UsageRecord later) {
  if (!earlier.present) return later;
  Usage& usage = later.usage;
  usage.first_seen = std::min(usage.first_seen, earlier.usage.first_seen);
  usage.last_used = std::max(usage.last_used, earlier.usage.last_used);
  usage.last_pulled = earlier.usage.last_pulled;
  usage.starts = std::max(usage.starts, earlier.usage.starts);
  usage.recent_starts = std::max(usage.recent_starts, earlier.usage.recent_starts);
  usage.pulls = std::max(usage.pulls, earlier.usage.pulls);
  later.latest_start = std::max(later.latest_start, earlier.latest_start);
  return later;
}

void ApplyUsage(const std::vector<UsageRecord>& records, std::vector<Image>& images) {
  std::unordered_map<ImageId, const UsageRecord*> known;
  for (const UsageRecord& record : records) known.emplace(record.id, &record);
  for (Image& image : images) {
    const auto at = known.find(image.id);
    if (at == known.end()) continue;
    image.usage = at->second->usage;
    image.usage.last_start = at->second->latest_start;
  }
}

}  // namespace ebb::image
