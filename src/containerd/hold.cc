#include "containerd/hold.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "containerd/lease.h"
#include "containerd/record_calls.h"

namespace ebb::containerd {
namespace {

// What the CRI plugin puts on every record that it knows.
constexpr std::string_view kManaged = "io.cri-containerd.image";

image::Image ToImage(const held::HeldImage& held) {
  image::Image image;
  image.id = {held.id()};
  for (const auto& record : held.records()) {
    if (record.name() == held.id()) continue;
    const bool digest = record.name().find('@') != std::string::npos;
    (digest ? image.digests : image.tags).push_back(record.name());
  }
  return image;
}

bool IsManaged(const images_api::Image& record) {
  return std::ranges::any_of(record.labels(),
                             [](const auto& label) { return label.key() == kManaged; });
}

void StripManaged(images_api::Image& record) {
  auto& labels = *record.mutable_labels();
  for (int i = labels.size() - 1; i >= 0; --i) {
    if (labels[i].key() == kManaged) labels.DeleteSubrange(i, 1);
  }
}

}  // namespace

LeaseHold::LeaseHold(std::shared_ptr<Connection> connection, std::string lease, held::Held held)
    : connection_(std::move(connection)), lease_(std::move(lease)), held_(std::move(held)) {
  images_.reserve(static_cast<std::size_t>(held_.images_size()));
  for (const auto& image : held_.images()) images_.push_back(ToImage(image));
}

base::Status LeaseHold::Restore(std::span<const image::ImageId> ids) {
  base::Status result = base::Done{};
  for (const auto& image : held_.images()) {
    if (std::ranges::find(ids, image.id(), &image::ImageId::value) == ids.end()) continue;
    auto restored = RestoreOne(image);
    if (!restored.ok() && result.ok()) result = std::move(restored);
  }
  return result;
}

// The last record goes without the CRI plugin's own label. The plugin takes up records in the order
// in which they come: that the label is back says that it lists the image with all of them.
base::Status LeaseHold::RestoreOne(const held::HeldImage& image) {
  auto missing = Missing(image);
  if (!missing.ok()) return missing.error();
  for (images_api::Image& record : *missing) {
    const bool asked = &record == &missing->back() && IsManaged(record);
    if (asked) StripManaged(record);
    const auto made = CreateRecord(*connection_, record);
    if (!made.ok()) return made.error();
    if (asked && *made) return WaitUntilKnown(record.name());
  }
  return base::Done{};
}

base::Result<std::vector<images_api::Image>> LeaseHold::Missing(
    const held::HeldImage& image) const {
  std::vector<images_api::Image> missing;
  missing.reserve(static_cast<std::size_t>(image.records_size()));
  for (const auto& record : image.records()) {
    const auto there = GetRecord(*connection_, record.name());
    if (there.ok()) continue;
    if (there.error().code != base::ErrorCode::kNotFound) return there.error();
    missing.push_back(record);
  }
  return missing;
}

// Bounded: a runtime that does not follow is the caller's to find out, by looking again.
base::Status LeaseHold::WaitUntilKnown(const std::string& name) {
  constexpr std::chrono::seconds kPatience(2);
  constexpr std::chrono::milliseconds kPause(2);
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < give_up) {
    const auto got = GetRecord(*connection_, name);
    if (!got.ok()) return got.error();
    if (IsManaged(*got)) break;
    std::this_thread::sleep_for(kPause);
  }
  return base::Done{};
}

base::Status LeaseHold::Release() {
  auto deleted = DeleteLease(*connection_, lease_, true);
  if (!deleted.ok()) return deleted.error().In("release the hold " + lease_);
  return deleted;
}

}  // namespace ebb::containerd
