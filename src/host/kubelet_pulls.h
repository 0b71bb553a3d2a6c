// Which images the kubelet is pulling right now, as it writes down itself.
#pragma once

#include <string>

#include "engine/claims.h"

namespace ebb::host {

// One file of <kubelet root>/image_manager/pulling (ImagePullIntent, KEP-2535) for each image, from
// before its pull to after it; one that a dead kubelet left is removed when it starts again.
class KubeletPulls : public engine::PullSource {
 public:
  explicit KubeletPulls(const std::string& kubelet_root = "/var/lib/kubelet")
      : directory_(kubelet_root + "/image_manager/pulling") {}

  // kNotFound if there is no such directory: a kubelet before 1.33, or none. Reads at most 4096
  // files, and none through a symlink; a file that is no such record claims nothing.
  base::Result<std::vector<image::Claim>> Read() override;

 private:
  std::string directory_;
};

}  // namespace ebb::host
