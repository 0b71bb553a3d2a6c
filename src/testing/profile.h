// How one version of a container runtime behaves towards a client that removes images.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ebb::testing {

// What RemoveImage does when it is given a tag instead of an ID.
enum class ByTag { kRemovesImage, kUntags, kDoesNothing };

struct Profile {
  std::string name;             // what tests call it: letters and digits only
  std::string runtime_name;     // as Version answers
  std::string runtime_version;  // as Version answers
  bool bare_ids = false;        // hex without "sha256:"
  bool refuses_in_use = false;  // else RemoveImage succeeds and only the snapshots stay
  ByTag by_tag = ByTag::kRemovesImage;
  bool reports_pinned = true;
  bool pins_by_name = false;                // an image without names is no longer pinned
  bool lists_image_id = false;              // Container.image_id (CRI 1.30)
  bool ref_is_digest = false;               // Container.image_ref is repo@digest where one is known
  bool status_names_sandbox_image = false;  // Status(verbose)
  bool sandboxes_name_their_image = false;  // PodSandboxStatus(verbose)
  bool tells_layers = true;                 // ImageStatus(verbose) has diff IDs
  bool container_filesystems = false;       // ImageFsInfo has the second list
  bool image_volumes = false;               // ContainerStatus.mounts[].image
  bool volumes_by_id = false;               // that field holds an ID, whatever was asked for
  bool streams = false;                     // StreamImages and its like
  bool frees_late = false;                  // bytes come back some time after the call
  std::string images_path;
  std::string containers_path;
  // Bytes on disk per reported byte: the blob as pulled, and the unpacked snapshot.
  double blob = 1;
  double snapshot = 2;
};

Profile Containerd16();   // 1.6.20, Debian 12's: no pins
Profile Containerd17();   // 1.7.24
Profile Containerd203();  // 2.0.3: frees late
Profile Containerd21();   // 2.1.9: image volumes, sandbox image not in Status
Profile Containerd23();   // 2.3.4: image_id; a sandbox does not always tell its image
Profile CriO128();        // 1.28.4: image_ref is repo@digest and image_id is empty
Profile CriO136();        // 1.36.0: image_id, image volumes, streams
Profile CriDockerd();     // 0.3.15 over docker 26

// Each of the above once.
const std::vector<Profile>& AllProfiles();

}  // namespace ebb::testing
