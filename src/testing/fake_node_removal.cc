// What a removal does to a FakeNode and to its disk.
#include <algorithm>
#include <cmath>

#include "testing/fake_node.h"

namespace ebb::testing {

base::Bytes FakeNode::Sum(const std::set<std::string>& layers, double factor) const {
  double sum = 0;
  for (const std::string& name : layers) {
    sum += static_cast<double>(layers_.find(name)->second.count) * factor;
  }
  return {std::llround(sum)};
}

// Snapshots are held by images and by what runs, or ran, on them.
base::Bytes FakeNode::SnapshotBytes() const {
  std::set<std::string> held;
  for (const Stored& image : images_) held.insert(image.layers.begin(), image.layers.end());
  for (const auto& [id, user] : users_) held.insert(user.layers.begin(), user.layers.end());
  for (const auto& [hold, images] : held_) {
    for (const Stored& image : images) held.insert(image.layers.begin(), image.layers.end());
  }
  return Sum(held, profile_.snapshot);
}

base::Bytes FakeNode::OnDisk() const {
  std::set<std::string> blobs;
  for (const Stored& image : images_) blobs.insert(image.layers.begin(), image.layers.end());
  for (const auto& [hold, images] : held_) {
    for (const Stored& image : images) blobs.insert(image.layers.begin(), image.layers.end());
  }
  return Sum(blobs, profile_.blob) + SnapshotBytes();
}

base::Bytes FakeNode::Used() const {
  base::Bytes used = other_ + OnDisk();
  for (const Debt& debt : debts_) {
    if (debt.due > clock_.Elapsed()) used += debt.bytes;
  }
  return used;
}

void FakeNode::SetDisk(base::Bytes capacity, base::Bytes other) {
  const base::MutexLock lock(mutex_);
  capacity_ = capacity;
  other_ = other;
}

void FakeNode::FillTo(base::Percent used) {
  const base::MutexLock lock(mutex_);
  const base::Bytes wanted = capacity_ - base::AvailableAt(capacity_, used);
  other_ += std::max(base::Bytes{}, wanted - Used());
}

base::Bytes FakeNode::capacity() const {
  const base::MutexLock lock(mutex_);
  return capacity_;
}

base::Bytes FakeNode::Available() const {
  const base::MutexLock lock(mutex_);
  return std::max(base::Bytes{}, capacity_ - Used());
}

void FakeNode::Settle() {
  const base::MutexLock lock(mutex_);
  debts_.clear();
}

int FakeNode::Hold(std::span<const image::ImageId> ids) {
  const base::MutexLock lock(mutex_);
  Images& kept = held_[++next_hold_];
  for (const image::ImageId& id : ids) {
    const auto found = Find(id.value);
    if (found != images_.end()) kept.push_back(*found);
  }
  return next_hold_;
}

std::vector<image::Image> FakeNode::HeldBy(int hold) const {
  const base::MutexLock lock(mutex_);
  std::vector<image::Image> images;
  const auto at = held_.find(hold);
  if (at == held_.end()) return images;
  images.reserve(at->second.size());
  for (const Stored& stored : at->second) images.push_back(Show(stored));
  return images;
}

void FakeNode::RestoreHeld(int hold, std::span<const image::ImageId> ids) {
  const base::MutexLock lock(mutex_);
  for (const Stored& stored : held_[hold]) {
    const bool asked = std::ranges::find(ids, image::ImageId{stored.id}) != ids.end();
    if (asked && Find(stored.id) == images_.end()) images_.push_back(stored);
  }
}

void FakeNode::Release(int hold) {
  const base::MutexLock lock(mutex_);
  held_.erase(hold);
}

std::vector<int> FakeNode::holds() const {
  const base::MutexLock lock(mutex_);
  std::vector<int> all;
  all.reserve(held_.size());
  for (const auto& [hold, images] : held_) all.push_back(hold);
  return all;
}

bool FakeNode::dead() const {
  const base::MutexLock lock(mutex_);
  return removals_left_.has_value() && *removals_left_ <= 0;
}

std::vector<std::string> FakeNode::asked() const {
  const base::MutexLock lock(mutex_);
  return asked_;
}

void FakeNode::ForgetAsked() {
  const base::MutexLock lock(mutex_);
  asked_.clear();
}

bool FakeNode::Mounts(const User& user, const Stored& stored) const {
  if (!profile_.image_volumes) return false;
  for (const std::string& volume : user.volumes) {
    const auto found = Find(volume);
    if (found != images_.end() && found->id == stored.id) return true;
  }
  return false;
}

// The runtime's own refusal; empty if it would remove the image.
std::string FakeNode::WhoHolds(const Stored& stored) const {
  if (!profile_.refuses_in_use) return {};
  for (const auto& [id, user] : users_) {
    if (Mounts(user, stored)) return "the image is in use by " + id;
    if (user.image_id != stored.id) continue;
    if (profile_.runtime_name == "cri-o") {
      return "delete image: image used by " + id + ": image is in use by a container";
    }
    const bool running = user.shown.state == image::ContainerState::kRunning;
    return "Error response from daemon: conflict: unable to delete " + stored.id.substr(7, 12) +
           (running ? " (cannot be forced) - image is being used by running container "
                    : " (must be forced) - image is being used by stopped container ") +
           id.substr(0, 12);
  }
  return {};
}

void FakeNode::Erase(Images::const_iterator image) {
  const base::Bytes before = OnDisk();
  images_.erase(image);
  if (!profile_.frees_late) return;
  debts_.push_back({.due = clock_.Elapsed() + late_by_, .bytes = before - OnDisk()});
}

base::Status FakeNode::CarryOut(const std::string& reference, const std::string& handler) {
  const auto found = Find(reference);
  if (found == images_.end() || found->handler != handler) return base::Done{};
  if (const auto refused = refused_.find(found->id); refused != refused_.end()) {
    return refused->second;
  }
  if (ignored_.contains(found->id)) return base::Done{};
  const bool by_id = reference == found->id || "sha256:" + reference == found->id;
  if (!by_id && profile_.by_tag == ByTag::kDoesNothing) return base::Done{};
  if (!by_id && profile_.by_tag == ByTag::kUntags && found->tags.size() > 1) {
    std::erase(At({found->id}).tags, reference);
    return base::Done{};
  }
  if (std::string words = WhoHolds(*found); !words.empty()) {
    return base::Error{base::ErrorCode::kHeld, std::move(words)};
  }
  Erase(found);
  return base::Done{};
}

base::Status FakeNode::RemoveImage(const std::string& reference, const std::string& handler) {
  if (before_remove) before_remove(reference);
  const base::MutexLock lock(mutex_);
  asked_.push_back(reference);
  if (removals_left_.has_value() && (*removals_left_)-- <= 0) {
    return base::Error{base::ErrorCode::kUnavailable, "the runtime is gone"};
  }
  return CarryOut(reference, handler);
}

}  // namespace ebb::testing
