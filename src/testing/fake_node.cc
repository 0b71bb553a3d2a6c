#include "testing/fake_node.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "image/reference.h"

namespace ebb::testing {

namespace {

std::string_view WithoutAlgorithm(std::string_view id) {
  constexpr std::string_view kSha256 = "sha256:";
  return id.starts_with(kSha256) ? id.substr(kSha256.size()) : id;
}

// "registry/app" of "registry/app:1"; the port of a registry is not a tag.
std::string_view RepositoryOf(std::string_view tag) {
  const std::size_t colon = tag.rfind(':');
  const std::size_t slash = tag.rfind('/');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return has_tag ? tag.substr(0, colon) : tag;
}

}  // namespace

std::string HexDigest(std::string_view text) {
  constexpr std::array<std::uint64_t, 4> kSeeds = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9,
                                                   0x94d049bb133111eb, 0xd6e8feb86659fd93};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (std::uint64_t state : kSeeds) {
    for (const char c : text) {
      state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
      state ^= state >> 29U;
    }
    for (int i = 0; i < 16; ++i, state >>= 4U) hex.push_back(kDigits[state & 15U]);
  }
  return hex;
}

FakeNode::FakeNode(Profile profile, engine::Clock& clock)
    : profile_(std::move(profile)), clock_(clock) {}

image::ImageId FakeNode::AddImage(const ImageSpec& spec) {
  const base::MutexLock lock(mutex_);
  Stored stored;
  stored.id = (profile_.bare_ids ? "" : "sha256:") + HexDigest("config of " + spec.name);
  stored.tags = {spec.name};
  stored.digests = {std::string(RepositoryOf(spec.name)) +
                    "@sha256:" + HexDigest("manifest of " + spec.name)};
  stored.pinned = spec.pinned;
  stored.handler = spec.handler;
  for (const Layer& layer : spec.layers) {
    layers_[layer.name] = layer.bytes;
    stored.layers.push_back(layer.name);
  }
  std::erase_if(images_, [&](const Stored& old) { return old.id == stored.id; });
  images_.push_back(stored);
  return {stored.id};
}

image::ImageId FakeNode::AddImage(std::string_view name, base::Bytes size) {
  return AddImage({.name = std::string(name), .layers = {{"layer of " + std::string(name), size}}});
}

FakeNode::User FakeNode::MakeUser(const ContainerSpec& spec) {
  User user;
  const auto image = Find(spec.image);
  if (image == images_.end()) return user;
  user.image_id = image->id;
  user.layers = image->layers;
  user.volumes = spec.volumes;
  const int number = next_user_++;
  user.shown.id = HexDigest("user " + std::to_string(number));
  user.shown.name = "main";
  user.shown.pod_namespace = "default";
  user.shown.pod_name = "pod-" + std::to_string(number);
  user.shown.pod_uid = "uid-of-" + user.shown.pod_name;
  user.shown.sandbox_id = spec.sandbox;
  if (const auto sandbox = users_.find(spec.sandbox); sandbox != users_.end()) {
    user.shown.pod_name = sandbox->second.shown.pod_name;
    user.shown.pod_uid = sandbox->second.shown.pod_uid;
  }
  user.shown.state = spec.state;
  user.shown.created_at = clock_.Now();
  if (spec.anonymous) return user;
  user.shown.image_name = spec.image;
  user.shown.image_id = profile_.lists_image_id ? image->id : "";
  const bool by_digest = profile_.ref_is_digest && !image->digests.empty();
  user.shown.image_ref = by_digest ? image->digests.front() : image->id;
  return user;
}

std::string FakeNode::AddContainer(const ContainerSpec& spec) {
  const base::MutexLock lock(mutex_);
  User user = MakeUser(spec);
  std::string id = user.shown.id;
  users_.insert_or_assign(id, std::move(user));
  return id;
}

std::string FakeNode::AddContainer(std::string_view image, image::ContainerState state) {
  return AddContainer({.image = std::string(image), .state = state});
}

std::string FakeNode::AddSandbox(std::string_view image) {
  const base::MutexLock lock(mutex_);
  User user = MakeUser({.image = std::string(image)});
  user.is_sandbox = true;
  std::string id = user.shown.id;
  users_.insert_or_assign(id, std::move(user));
  return id;
}

void FakeNode::SetState(const std::string& container, image::ContainerState state) {
  const base::MutexLock lock(mutex_);
  users_.at(container).shown.state = state;
}

void FakeNode::RemoveContainer(const std::string& id) {
  const base::MutexLock lock(mutex_);
  users_.erase(id);
}

void FakeNode::RemoveSandbox(const std::string& id) {
  const base::MutexLock lock(mutex_);
  users_.erase(id);
  std::erase_if(users_, [&](const auto& user) { return user.second.shown.sandbox_id == id; });
}

FakeNode::Stored& FakeNode::At(const image::ImageId& id) {
  return *std::ranges::find(images_, id.value, &Stored::id);
}

void FakeNode::Tag(const image::ImageId& id, std::string_view tag) {
  const base::MutexLock lock(mutex_);
  for (Stored& image : images_) std::erase(image.tags, tag);
  At(id).tags.emplace_back(tag);
}

void FakeNode::Untag(const image::ImageId& id) {
  const base::MutexLock lock(mutex_);
  At(id).tags.clear();
}

void FakeNode::DropNames(const image::ImageId& id) {
  const base::MutexLock lock(mutex_);
  At(id).tags.clear();
  At(id).digests.clear();
}

void FakeNode::Pin(const image::ImageId& id, bool pinned) {
  const base::MutexLock lock(mutex_);
  At(id).pinned = pinned;
}

void FakeNode::SetSandboxImage(std::string_view name) {
  const base::MutexLock lock(mutex_);
  sandbox_image_ = name;
}

void FakeNode::Refuse(const image::ImageId& id, base::Error error) {
  const base::MutexLock lock(mutex_);
  refused_.insert_or_assign(id.value, std::move(error));
}

void FakeNode::Ignore(const image::ImageId& id) {
  const base::MutexLock lock(mutex_);
  ignored_.insert(id.value);
}

void FakeNode::ListTwice(const image::ImageId& id) {
  const base::MutexLock lock(mutex_);
  twice_.insert(id.value);
}

void FakeNode::DieAfter(int removals) {
  const base::MutexLock lock(mutex_);
  removals_left_ = removals;
}

void FakeNode::Revive() {
  const base::MutexLock lock(mutex_);
  removals_left_.reset();
}

FakeNode::Images::const_iterator FakeNode::Find(std::string_view reference) const {
  const std::string full = image::Normalize(reference);
  const auto names = [&](const std::string& name) {
    return name == reference || image::Normalize(name) == full;
  };
  return std::ranges::find_if(images_, [&](const Stored& image) {
    return WithoutAlgorithm(image.id) == WithoutAlgorithm(reference) ||
           std::ranges::any_of(image.tags, names) || std::ranges::any_of(image.digests, names);
  });
}

}  // namespace ebb::testing
