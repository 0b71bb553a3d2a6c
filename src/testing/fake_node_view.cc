// What a client of the runtime sees of a FakeNode.
#include <algorithm>

#include "testing/fake_node.h"

namespace ebb::testing {

image::Image FakeNode::Show(const Stored& stored) const {
  image::Image shown;
  shown.id = {stored.id};
  shown.tags = stored.tags;
  shown.digests = stored.digests;
  if (!stored.handler.empty()) shown.handlers = {stored.handler};
  for (const std::string& layer : stored.layers) shown.size += layers_.find(layer)->second;
  const bool has_name = !stored.tags.empty() || !stored.digests.empty();
  shown.pinned = stored.pinned && profile_.reports_pinned && (has_name || !profile_.pins_by_name);
  return shown;
}

std::vector<image::Image> FakeNode::ListImages() const {
  const base::MutexLock lock(mutex_);
  std::vector<image::Image> listed;
  for (const Stored& stored : images_) {
    listed.push_back(Show(stored));
    if (!twice_.contains(stored.id)) continue;
    listed.push_back(listed.back());
    listed.back().pinned = false;
  }
  return listed;
}

std::vector<image::Container> FakeNode::ListContainers() const {
  std::vector<image::Container> listed;
  {
    const base::MutexLock lock(mutex_);
    for (const auto& [id, user] : users_) {
      if (!user.is_sandbox) listed.push_back(user.shown);
    }
  }
  if (after_list) after_list();
  return listed;
}

std::vector<image::Sandbox> FakeNode::ListSandboxes() const {
  const base::MutexLock lock(mutex_);
  std::vector<image::Sandbox> listed;
  for (const auto& [id, user] : users_) {
    if (!user.is_sandbox) continue;
    listed.push_back({.id = id,
                      .pod_namespace = user.shown.pod_namespace,
                      .pod_name = user.shown.pod_name,
                      .pod_uid = user.shown.pod_uid,
                      .ready = user.shown.state == image::ContainerState::kRunning,
                      .created_at = user.shown.created_at});
  }
  return listed;
}

std::string FakeNode::PodOf(std::string_view id) const {
  const base::MutexLock lock(mutex_);
  const auto found = users_.find(id);
  return found == users_.end() ? "" : found->second.shown.pod_uid;
}

std::optional<image::ContainerState> FakeNode::StateOf(std::string_view id) const {
  const base::MutexLock lock(mutex_);
  const auto found = users_.find(id);
  if (found == users_.end()) return std::nullopt;
  return found->second.shown.state;
}

std::optional<image::Image> FakeNode::FindImage(std::string_view reference) const {
  const base::MutexLock lock(mutex_);
  const auto found = Find(reference);
  if (found == images_.end()) return std::nullopt;
  return Show(*found);
}

image::LayerChain FakeNode::DiffIds(std::string_view reference) const {
  const base::MutexLock lock(mutex_);
  const auto found = Find(reference);
  if (found == images_.end() || !profile_.tells_layers) return std::nullopt;
  std::vector<std::string> diff_ids;
  for (const std::string& layer : found->layers) diff_ids.push_back("sha256:" + HexDigest(layer));
  return diff_ids;
}

std::string FakeNode::sandbox_image() const {
  const base::MutexLock lock(mutex_);
  return profile_.status_names_sandbox_image ? sandbox_image_ : "";
}

std::optional<std::string> FakeNode::ImageOfSandbox(std::string_view id) const {
  const base::MutexLock lock(mutex_);
  const auto found = users_.find(id);
  if (found == users_.end() || !found->second.is_sandbox) return std::nullopt;
  return profile_.sandboxes_name_their_image ? found->second.shown.image_name : "";
}

std::optional<std::vector<std::string>> FakeNode::VolumesOf(std::string_view container) const {
  const base::MutexLock lock(mutex_);
  const auto user = users_.find(container);
  if (user == users_.end() || user->second.is_sandbox) return std::nullopt;
  if (!profile_.image_volumes) return std::vector<std::string>{};
  if (!profile_.volumes_by_id) return user->second.volumes;
  std::vector<std::string> ids;
  for (const std::string& volume : user->second.volumes) {
    const auto found = Find(volume);
    ids.push_back(found == images_.end() ? volume : found->id);
  }
  return ids;
}

std::vector<engine::StoragePath> FakeNode::Storage() const {
  const base::MutexLock lock(mutex_);
  const bool one_path = profile_.images_path == profile_.containers_path;
  std::vector<engine::StoragePath> paths;
  paths.push_back({.mountpoint = profile_.images_path,
                   .holds_images = true,
                   .holds_containers = profile_.container_filesystems && one_path,
                   .used = ReportedUse()});
  if (profile_.container_filesystems && !one_path) {
    paths.push_back({.mountpoint = profile_.containers_path, .holds_containers = true});
  }
  return paths;
}

// containerd counts snapshots and no blobs; CRI-O counts manifests and no layers.
base::Bytes FakeNode::ReportedUse() const {
  if (profile_.runtime_name != "cri-o") return SnapshotBytes();
  return {static_cast<std::int64_t>(images_.size()) * 4096};
}

bool FakeNode::Has(const image::ImageId& id) const {
  const base::MutexLock lock(mutex_);
  return std::ranges::find(images_, id.value, &Stored::id) != images_.end();
}

}  // namespace ebb::testing
