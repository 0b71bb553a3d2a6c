#include "testing/profile.h"

namespace ebb::testing {

namespace {

Profile Containerd(std::string name, std::string version) {
  Profile profile;
  profile.name = std::move(name);
  profile.runtime_name = "containerd";
  profile.runtime_version = std::move(version);
  profile.sandboxes_name_their_image = true;
  profile.images_path = "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs";
  profile.containers_path = profile.images_path;
  return profile;
}

Profile CriO(std::string name, std::string version) {
  Profile profile;
  profile.name = std::move(name);
  profile.runtime_name = "cri-o";
  profile.runtime_version = std::move(version);
  profile.bare_ids = true;
  profile.refuses_in_use = true;
  profile.by_tag = ByTag::kUntags;
  profile.pins_by_name = true;
  profile.ref_is_digest = true;
  profile.status_names_sandbox_image = true;
  profile.images_path = "/var/lib/containers/storage/overlay-images";
  profile.blob = 0;
  profile.snapshot = 1;
  return profile;
}

}  // namespace

Profile Containerd16() {
  Profile profile = Containerd("Containerd16", "1.6.20~ds1");
  profile.reports_pinned = false;
  profile.status_names_sandbox_image = true;
  return profile;
}

Profile Containerd17() {
  Profile profile = Containerd("Containerd17", "v1.7.24");
  profile.status_names_sandbox_image = true;
  return profile;
}

Profile Containerd203() {
  Profile profile = Containerd("Containerd203", "v2.0.3");
  profile.frees_late = true;
  return profile;
}

Profile Containerd21() {
  Profile profile = Containerd("Containerd21", "v2.1.9");
  profile.image_volumes = true;
  return profile;
}

Profile Containerd23() {
  Profile profile = Containerd("Containerd23", "v2.3.4");
  profile.image_volumes = true;
  profile.lists_image_id = true;
  profile.sandboxes_name_their_image = false;
  return profile;
}

Profile CriO128() {
  Profile profile = CriO("CriO128", "1.28.4");
  profile.containers_path = profile.images_path;
  return profile;
}

Profile CriO136() {
  Profile profile = CriO("CriO136", "1.36.0");
  profile.lists_image_id = true;
  profile.container_filesystems = true;
  profile.containers_path = "/var/lib/containers/storage/overlay-containers";
  profile.image_volumes = true;
  profile.volumes_by_id = true;
  profile.streams = true;
  return profile;
}

Profile CriDockerd() {
  Profile profile;
  profile.name = "CriDockerd";
  profile.runtime_name = "docker";
  profile.runtime_version = "26.1.4";
  profile.refuses_in_use = true;
  profile.by_tag = ByTag::kDoesNothing;
  profile.status_names_sandbox_image = true;
  profile.tells_layers = false;
  profile.container_filesystems = true;
  profile.images_path = "/var/lib/docker";
  profile.containers_path = profile.images_path;
  profile.blob = 0;
  profile.snapshot = 1;
  return profile;
}

const std::vector<Profile>& AllProfiles() {
  static const std::vector<Profile> all = {Containerd16(), Containerd17(), Containerd203(),
                                           Containerd21(), Containerd23(), CriO128(),
                                           CriO136(),      CriDockerd()};
  return all;
}

}  // namespace ebb::testing
