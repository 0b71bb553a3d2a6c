#include "testing/fake_records.h"

#include <algorithm>

namespace ebb::testing {
namespace {

std::vector<std::string> NamesOf(const image::Image& image) {
  std::vector<std::string> names = image.tags;
  names.insert(names.end(), image.digests.begin(), image.digests.end());
  names.push_back(image.id.value);
  return names;
}

}  // namespace

std::string FakeRecords::LabelOf(const std::string& record, std::string_view key) const {
  const auto labels = labels_.find(record);
  if (labels == labels_.end()) return "";
  const auto at = labels->second.find(std::string(key));
  return at == labels->second.end() ? "" : at->second;
}

void FakeRecords::SetLabel(const std::string& record, std::string_view key,
                           std::string_view value) {
  image::Labels& labels = labels_[record];
  if (value.empty()) {
    labels.erase(std::string(key));
  } else {
    labels[std::string(key)] = value;
  }
  Repin();
}

void FakeRecords::LoseLeases() {
  leases_.clear();
  for (const auto& [digest, hold] : holds_) node_.Release(hold);
  holds_.clear();
}

std::optional<image::ImageId> FakeRecords::Standing(const std::string& digest) const {
  for (const image::Image& image : node_.ListImages()) {
    if (TargetOf(image.id) == digest) return image.id;
  }
  return std::nullopt;
}

// What the runtime reports as pinned follows the labels, where it knows of pins at all.
void FakeRecords::Repin() {
  if (!node_.profile().reports_pinned) return;
  for (const image::Image& image : node_.ListImages()) {
    const auto names = NamesOf(image);
    node_.Pin(image.id, std::ranges::any_of(names, [&](const std::string& name) {
                return LabelOf(name, image::kPinLabel) == image::kPinValue;
              }));
  }
}

base::Result<std::vector<image::Record>> FakeRecords::List() {
  if (fail_reading) return *fail_reading;
  std::vector<image::Record> records;
  std::map<std::string, image::Labels> labels;
  for (const image::Image& image : node_.ListImages()) {
    for (const std::string& name : NamesOf(image)) {
      labels[name] = labels_[name];
      image::Record& record = records.emplace_back();
      record.name = name;
      record.target = {"index", TargetOf(image.id), 1, {}};
      record.labels = labels[name];
    }
  }
  labels_ = std::move(labels);
  return records;
}

base::Status FakeRecords::Label(const image::Relabel& change) {
  if (fail_changing) return *fail_changing;
  ++changes;
  const auto records = List();
  if (!records.ok()) return records.error();
  if (std::ranges::find(*records, change.record, &image::Record::name) == records->end()) {
    return base::Error{base::ErrorCode::kNotFound, change.record + ": not found"};
  }
  for (const auto& [key, value] : change.labels) SetLabel(change.record, key, value);
  return base::Done{};
}

base::Result<std::vector<std::string>> FakeRecords::BringBack(
    std::span<const image::Record> records) {
  if (fail_changing) return *fail_changing;
  if (before_bring_back) before_bring_back();
  const auto there = List();
  if (!there.ok()) return there.error();
  std::vector<std::string> made;
  for (const image::Record& record : records) {
    if (std::ranges::find(*there, record.name, &image::Record::name) != there->end()) continue;
    made.push_back(record.name);
    labels_[record.name] = record.labels;
    if (node_.FindImage(record.name)) continue;  // came back with another name
    if (const auto standing = Standing(record.target.digest)) {
      node_.Tag(*standing, record.name);
      continue;
    }
    const auto hold = holds_.find(record.target.digest);
    if (hold == holds_.end()) continue;
    const std::vector<image::Image> held = node_.HeldBy(hold->second);
    for (const image::Image& image : held) node_.RestoreHeld(hold->second, std::span(&image.id, 1));
  }
  if (!made.empty()) ++changes;
  Repin();
  return made;
}

base::Result<bool> FakeRecords::HasContent(const std::set<std::string>& digests) {
  if (fail_reading) return *fail_reading;
  return std::ranges::all_of(digests, [&](const std::string& digest) {
    return holds_.contains(digest) || Standing(digest).has_value();
  });
}

base::Result<std::vector<image::GuardLease>> FakeRecords::Leases(Whose) {
  if (fail_reading) return *fail_reading;
  std::vector<image::GuardLease> leases;
  leases.reserve(leases_.size());
  for (const auto& [id, lease] : leases_) leases.push_back(lease);
  return leases;
}

base::Status FakeRecords::MakeLease(std::span<const std::string> digests, base::Duration life) {
  if (fail_changing) return *fail_changing;
  ++changes;
  const std::string id = "lease-" + std::to_string(++next_);
  leases_[id] = {id, clock_.Now() + life, {digests.begin(), digests.end()}};
  for (const std::string& digest : digests) {
    const auto standing = Standing(digest);
    if (!standing || holds_.contains(digest)) continue;
    holds_[digest] = node_.Hold(std::vector{*standing});
  }
  return base::Done{};
}

base::Status FakeRecords::DropLease(const std::string& id) {
  if (fail_changing) return *fail_changing;
  ++changes;
  leases_.erase(id);
  std::erase_if(holds_, [&](const auto& hold) {
    const bool held = std::ranges::any_of(
        leases_, [&](const auto& lease) { return lease.second.digests.contains(hold.first); });
    if (!held) node_.Release(hold.second);
    return !held;
  });
  return base::Done{};
}

}  // namespace ebb::testing
