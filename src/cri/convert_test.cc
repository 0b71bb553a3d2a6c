#include "cri/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ebb::cri {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ConvertImage, TakesEverythingOver) {
  api::Image listed;
  listed.set_id("sha256:1");
  listed.add_repo_tags("localhost:5000/a:1");
  listed.add_repo_tags("localhost:5000/a:2");
  listed.add_repo_digests("localhost:5000/a@sha256:d");
  listed.set_size(42);
  listed.set_pinned(true);
  const image::Image image = ToImage(listed);
  EXPECT_EQ(image.id.value, "sha256:1");
  EXPECT_THAT(image.tags, ElementsAre("localhost:5000/a:1", "localhost:5000/a:2"));
  EXPECT_THAT(image.digests, ElementsAre("localhost:5000/a@sha256:d"));
  EXPECT_EQ(image.size.count, 42);
  EXPECT_TRUE(image.pinned);
  EXPECT_EQ(image.usage.first_seen, base::kNever);
}

TEST(ConvertImage, DropsNamesThatMeanThereIsNone) {
  api::Image listed;
  for (const char* name : {"<none>:<none>", "a:1", "", "repo:<none>"}) listed.add_repo_tags(name);
  for (const char* name : {"<none>@<none>", "repo@<none>"}) listed.add_repo_digests(name);
  const image::Image image = ToImage(listed);
  EXPECT_THAT(image.tags, ElementsAre("a:1"));
  EXPECT_THAT(image.digests, IsEmpty());
}

TEST(ConvertImage, KeepsAbsurdSizesLargeButSummable) {
  api::Image listed;
  listed.set_size(std::numeric_limits<std::uint64_t>::max());
  const base::Bytes size = ToImage(listed).size;
  EXPECT_GE(size.count, std::int64_t{1} << 50);
  EXPECT_LE(size.count, std::numeric_limits<std::int64_t>::max() / 4096);
}

TEST(ConvertImages, KeepsEveryEntryAlsoOfTheSameId) {
  api::ListImagesResponse response;
  response.add_images()->set_id("sha256:1");
  response.add_images()->set_id("sha256:1");
  std::vector<image::Image> images(1);
  Append(response.images(), images);
  ASSERT_EQ(images.size(), 3U);
  EXPECT_EQ(images[2].id.value, "sha256:1");
}

TEST(ConvertContainer, TakesEverythingOver) {
  api::Container listed;
  listed.set_id("c1");
  listed.set_pod_sandbox_id("s1");
  listed.mutable_metadata()->set_name("app");
  listed.mutable_image()->set_image("docker.io/a:1");
  listed.set_image_ref("repo@sha256:d");
  listed.set_image_id("sha256:1");
  listed.set_created_at(1'700'000'000'000'000'001);
  (*listed.mutable_labels())["io.kubernetes.pod.namespace"] = "ns";
  (*listed.mutable_labels())["io.kubernetes.pod.name"] = "pod";
  (*listed.mutable_labels())["io.kubernetes.pod.uid"] = "uid";
  const image::Container container = ToContainer(listed);
  EXPECT_EQ(container.id, "c1");
  EXPECT_EQ(container.sandbox_id, "s1");
  EXPECT_EQ(container.name, "app");
  EXPECT_EQ(container.pod_namespace, "ns");
  EXPECT_EQ(container.pod_name, "pod");
  EXPECT_EQ(container.pod_uid, "uid");
  EXPECT_EQ(container.image_name, "docker.io/a:1");
  EXPECT_EQ(container.image_ref, "repo@sha256:d");
  EXPECT_EQ(container.image_id, "sha256:1");
  EXPECT_EQ(container.created_at.time_since_epoch().count(), 1'700'000'000'000'000'001);
  EXPECT_THAT(container.volume_images, IsEmpty());
}

TEST(ConvertContainer, OfAStateNobodyHasHeardOfIsUnknown) {
  const auto state = [](int number) {
    api::Container listed;
    listed.set_state(static_cast<api::ContainerState>(number));
    return ToContainer(listed).state;
  };
  EXPECT_EQ(state(0), image::ContainerState::kCreated);
  EXPECT_EQ(state(1), image::ContainerState::kRunning);
  EXPECT_EQ(state(2), image::ContainerState::kExited);
  EXPECT_EQ(state(3), image::ContainerState::kUnknown);
  EXPECT_EQ(state(99), image::ContainerState::kUnknown);
}

TEST(ConvertContainer, WithoutAnythingIsEmptyAndWasNeverCreated) {
  const image::Container container = ToContainer(api::Container());
  EXPECT_EQ(container.image_id + container.image_ref + container.image_name, "");
  EXPECT_EQ(container.created_at, base::kNever);
  api::Container before_the_epoch;
  before_the_epoch.set_created_at(-6795364578871345152);  // Go's zero time
  EXPECT_EQ(ToContainer(before_the_epoch).created_at, base::kNever);
}

TEST(ConvertSandbox, TakesEverythingOver) {
  api::PodSandbox listed;
  listed.set_id("s1");
  listed.mutable_metadata()->set_namespace_("ns");
  listed.mutable_metadata()->set_name("pod");
  listed.mutable_metadata()->set_uid("uid");
  listed.set_created_at(7);
  listed.set_state(api::SANDBOX_NOTREADY);
  const image::Sandbox sandbox = ToSandbox(listed);
  EXPECT_EQ(sandbox.id, "s1");
  EXPECT_EQ(sandbox.pod_namespace, "ns");
  EXPECT_EQ(sandbox.pod_name, "pod");
  EXPECT_EQ(sandbox.pod_uid, "uid");
  EXPECT_EQ(sandbox.created_at.time_since_epoch().count(), 7);
  EXPECT_FALSE(sandbox.ready);
  listed.set_state(api::SANDBOX_READY);
  EXPECT_TRUE(ToSandbox(listed).ready);
}

void AddUsage(api::FilesystemUsage& usage, const char* mountpoint, std::uint64_t bytes) {
  usage.mutable_fs_id()->set_mountpoint(mountpoint);
  usage.mutable_used_bytes()->set_value(bytes);
}

TEST(ConvertStorage, NamesEveryFilesystemOnceWithWhatItHolds) {
  api::ImageFsInfoResponse info;
  AddUsage(*info.add_image_filesystems(), "/var/overlayfs", 5);
  AddUsage(*info.add_image_filesystems(), "/var/zfs", 3);
  AddUsage(*info.add_image_filesystems(), "", 9);
  AddUsage(*info.add_container_filesystems(), "/var/overlayfs", 2);
  AddUsage(*info.add_container_filesystems(), "/var/rw", 1);
  const auto paths = ToStorage(info);
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(paths[0].mountpoint, "/var/overlayfs");
  EXPECT_TRUE(paths[0].holds_images && paths[0].holds_containers);
  EXPECT_EQ(paths[0].used.count, 7);
  EXPECT_EQ(paths[1].mountpoint, "/var/zfs");
  EXPECT_TRUE(paths[1].holds_images && !paths[1].holds_containers);
  EXPECT_EQ(paths[2].mountpoint, "/var/rw");
  EXPECT_TRUE(!paths[2].holds_images && paths[2].holds_containers);
}

TEST(ConvertVolumes, AreTheImagesThatMountsNameEachOnce) {
  api::ContainerStatus status;
  status.add_mounts()->set_host_path("/var/lib/x");
  status.add_mounts()->mutable_image()->set_image("localhost/model:1");
  api::ImageSpec& both = *status.add_mounts()->mutable_image();
  both.set_image("localhost/model:1");
  both.set_image_ref("sha256:1");
  const auto volumes = ToVolumes(status);
  ASSERT_TRUE(volumes.ok());
  EXPECT_THAT(*volumes, ElementsAre("localhost/model:1", "sha256:1"));
}

TEST(ConvertVolumes, FailIfAMountedImageHasNoName) {
  api::ContainerStatus status;
  status.set_id("c1");
  api::Mount& mount = *status.add_mounts();
  mount.set_container_path("/model");
  mount.mutable_image();
  const auto volumes = ToVolumes(status);
  ASSERT_FALSE(volumes.ok());
  EXPECT_THAT(volumes.error().message, testing::HasSubstr("container c1"));
  mount.set_host_path("/var/lib/x");
  EXPECT_TRUE(ToVolumes(status).ok()) << "a directory of the host is no image";
}

}  // namespace
}  // namespace ebb::cri
