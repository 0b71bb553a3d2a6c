#include "cri/convert.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::cri {
namespace {

using Names = google::protobuf::RepeatedPtrField<std::string>;
using Labels = google::protobuf::Map<std::string, std::string>;

// A pebibyte: more than any image or node disk has, so that what is no size at all stays large
// but sums of thousands of them still fit 63 bits.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 50U;

base::Bytes ToBytes(std::uint64_t size) {
  return {static_cast<std::int64_t>(std::min(size, kLargest))};
}

base::TimePoint ToTime(std::int64_t nanoseconds) {
  if (nanoseconds <= 0) return base::kNever;
  return base::TimePoint(base::Duration(nanoseconds));
}

std::string Label(const Labels& labels, const char* key) {
  const auto found = labels.find(key);
  return found == labels.end() ? std::string() : found->second;
}

// '<' cannot stand in a reference; docker writes "<none>:<none>" and "repo@<none>".
std::vector<std::string> RealNames(const Names& names) {
  std::vector<std::string> real;
  real.reserve(static_cast<std::size_t>(names.size()));
  for (const std::string& name : names) {
    if (!name.empty() && name.find("<none>") == std::string::npos) real.push_back(name);
  }
  return real;
}

template <class From, class To>
void AppendAll(const From& listed, std::vector<To>& out,
               To (*convert)(typename From::const_reference)) {
  out.reserve(out.size() + static_cast<std::size_t>(listed.size()));
  std::transform(listed.begin(), listed.end(), std::back_inserter(out), convert);
}

engine::StoragePath* PathFor(const std::string& mountpoint,
                             std::vector<engine::StoragePath>& paths) {
  const auto found = std::find_if(paths.begin(), paths.end(),
                                  [&](const auto& path) { return path.mountpoint == mountpoint; });
  if (found != paths.end()) return &*found;
  paths.push_back({mountpoint, false, false, {}});
  return &paths.back();
}

void AddName(const std::string& name, std::vector<std::string>& names) {
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  if (!name.empty() && !known) names.push_back(name);
}

}  // namespace

image::ContainerState ToState(api::ContainerState state) {
  switch (state) {
    case api::CONTAINER_CREATED: return image::ContainerState::kCreated;
    case api::CONTAINER_RUNNING: return image::ContainerState::kRunning;
    case api::CONTAINER_EXITED: return image::ContainerState::kExited;
    default: return image::ContainerState::kUnknown;
  }
}

image::Image ToImage(const api::Image& listed) {
  image::Image image;
  image.id.value = listed.id();
  image.tags = RealNames(listed.repo_tags());
  image.digests = RealNames(listed.repo_digests());
  image.size = ToBytes(listed.size());
  image.pinned = listed.pinned();
  if (!listed.spec().runtime_handler().empty()) {
    image.handlers.push_back(listed.spec().runtime_handler());
  }
  return image;
}

image::Container ToContainer(const api::Container& listed) {
  image::Container container;
  container.id = listed.id();
  container.name = listed.metadata().name();
  container.pod_namespace = Label(listed.labels(), "io.kubernetes.pod.namespace");
  container.pod_name = Label(listed.labels(), "io.kubernetes.pod.name");
  container.pod_uid = Label(listed.labels(), "io.kubernetes.pod.uid");
  container.sandbox_id = listed.pod_sandbox_id();
  container.state = ToState(listed.state());
  container.created_at = ToTime(listed.created_at());
  container.image_id = listed.image_id();
  container.image_ref = listed.image_ref();
  container.image_name = listed.image().image();
  return container;
}

image::Sandbox ToSandbox(const api::PodSandbox& listed) {
  image::Sandbox sandbox;
  sandbox.id = listed.id();
  sandbox.pod_namespace = listed.metadata().namespace_();
  sandbox.pod_name = listed.metadata().name();
  sandbox.pod_uid = listed.metadata().uid();
  sandbox.ready = listed.state() == api::SANDBOX_READY;
  sandbox.created_at = ToTime(listed.created_at());
  return sandbox;
}

void Append(const google::protobuf::RepeatedPtrField<api::Image>& listed,
            std::vector<image::Image>& out) {
  AppendAll(listed, out, &ToImage);
}

void Append(const google::protobuf::RepeatedPtrField<api::Container>& listed,
            std::vector<image::Container>& out) {
  AppendAll(listed, out, &ToContainer);
}

void Append(const google::protobuf::RepeatedPtrField<api::PodSandbox>& listed,
            std::vector<image::Sandbox>& out) {
  AppendAll(listed, out, &ToSandbox);
}

std::vector<engine::StoragePath> ToStorage(const api::ImageFsInfoResponse& info) {
  std::vector<engine::StoragePath> paths;
  const auto add = [&](const auto& listed, bool engine::StoragePath::* holds) {
    for (const api::FilesystemUsage& usage : listed) {
      if (usage.fs_id().mountpoint().empty()) continue;
      engine::StoragePath& path = *PathFor(usage.fs_id().mountpoint(), paths);
      path.*holds = true;
      path.used += ToBytes(usage.used_bytes().value());
    }
  };
  add(info.image_filesystems(), &engine::StoragePath::holds_images);
  add(info.container_filesystems(), &engine::StoragePath::holds_containers);
  return paths;
}

base::Result<std::vector<std::string>> ToVolumes(const api::ContainerStatus& status) {
  std::vector<std::string> images;
  for (const api::Mount& mount : status.mounts()) {
    if (!mount.has_image()) continue;
    const api::ImageSpec& image = mount.image();
    AddName(image.image(), images);
    AddName(image.image_ref(), images);
    const bool named = !image.image().empty() || !image.image_ref().empty();
    // A mount of a directory of the host is no image, whatever empty message comes with it.
    if (!named && mount.host_path().empty()) {
      return base::Error{base::ErrorCode::kInternal,
                         "container " + status.id() + " mounts an image at " +
                             mount.container_path() + " that the runtime does not name"};
    }
  }
  return images;
}

}  // namespace ebb::cri
