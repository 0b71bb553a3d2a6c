#include "testing/kubelet_actor.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace ebb::testing {

base::Status KubeletActor::Detect() {
  const auto listed = runtime_.List();
  if (!listed.ok()) return listed.error();
  const base::TimePoint now = clock_.Now();
  std::set<std::string> used;
  for (const image::Container& container : listed->containers) {
    used.insert(container.image_id.empty() ? container.image_ref : container.image_id);
  }
  std::map<std::string, Record> records;
  for (const image::Image& image : listed->images) {
    const auto known = records_.find(image.id.value);
    Record record = known == records_.end() ? Record{.first_detected = now} : known->second;
    record.in_use = used.contains(image.id.value);
    if (record.in_use) record.last_used = now;
    record.size = image.size;
    record.pinned = image.pinned;
    records[image.id.value] = record;
  }
  records_ = std::move(records);
  return base::Done{};
}

base::Result<image::Filesystem> KubeletActor::ImageFilesystem() {
  const auto storage = runtime_.Storage();
  if (!storage.ok()) return storage.error();
  const auto images = std::ranges::find_if(*storage, &engine::StoragePath::holds_images);
  if (images == storage->end()) {
    return base::Error{base::ErrorCode::kInternal, "no image filesystem"};
  }
  image::Filesystem fs = filesystems_.Measure(images->mountpoint);
  if (!fs.measured()) return base::Error{base::ErrorCode::kInternal, fs.problem};
  return fs;
}

void KubeletActor::FreeSpace(base::Bytes wanted) {
  const base::TimePoint now = clock_.Now();
  std::vector<std::pair<std::string, Record>> order;
  for (const auto& [id, record] : records_) {
    const bool kept = record.in_use || (record.pinned && options_.honours_pins);
    if (!kept && now - record.first_detected >= options_.min_age) order.emplace_back(id, record);
  }
  std::ranges::sort(order, {}, [](const auto& entry) {
    return std::tuple(entry.second.last_used, entry.second.first_detected);
  });
  base::Bytes freed;
  for (const auto& [id, record] : order) {
    const engine::Victim victim{{id}, ""};
    const auto results = remover_.Remove(std::span(&victim, 1));
    if (results.front().outcome != image::Outcome::kRemoved) continue;
    removed_.push_back(id);
    records_.erase(id);
    freed += record.size;
    if (freed >= wanted) return;
  }
}

base::Status KubeletActor::CollectImages() {
  if (auto detected = Detect(); !detected.ok()) return detected;
  const auto fs = ImageFilesystem();
  if (!fs.ok()) return fs.error();
  if (image::UsedPercent(*fs) < options_.high) return base::Done{};
  FreeSpace(base::AvailableAt(fs->capacity, options_.low) - fs->available);
  return base::Done{};
}

base::Status KubeletActor::RelievePressure() {
  const auto fs = ImageFilesystem();
  if (!fs.ok()) return fs.error();
  if (image::UsedPercent(*fs) < options_.evict_at) return base::Done{};
  if (auto detected = Detect(); !detected.ok()) return detected;
  FreeSpace({std::numeric_limits<std::int64_t>::max()});
  return base::Done{};
}

}  // namespace ebb::testing
