#include "host/evidence.h"

#include "host/pull_files.h"
#include "image/name_index.h"

namespace ebb::host {

std::optional<PullRecord> ParsePullRecord(const std::string& json) {
  const auto time = base::ParseTime(TextMember(json, "lastUpdatedTime"));
  PullRecord record;
  record.image = TextMember(json, "imageRef");
  if (!time.ok() || record.image.empty()) return std::nullopt;
  // Go writes a time that was never set as the year 1: that says nothing.
  record.updated = *time;
  if (record.updated <= base::kNever) return std::nullopt;
  return record;
}

std::vector<image::Evidence> KubeletPullRecords::Read(const std::vector<image::Image>& images) {
  std::vector<image::Evidence> evidence;
  image::NameIndex index(images);
  // Without the directory there is no evidence.
  (void)ForEachPullFile(directory_, [&](const std::string& content) {
    const auto record = ParsePullRecord(content);
    if (!record) return;
    for (const std::size_t i : index.Find(record->image)) {
      evidence.push_back({.id = images[i].id, .time = record->updated});
    }
  });
  return evidence;
}

}  // namespace ebb::host
