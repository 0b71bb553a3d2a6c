// What containerd's files take on the disk beside their own bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace ebb::containerd {

struct DiskFacts {
  base::Bytes block{4096};          // a file takes whole blocks
  base::Bytes layer_folders{8192};  // the two folders around an overlayfs layer
  std::vector<std::string> doubts;  // sentences about what had to be assumed
};

// Looks at the folders of the content store and of the overlayfs snapshotter; either may be empty:
// there is none. What cannot be looked at is as on ext4 with blocks of 4 KiB. The folders of one
// layer stand for all: how much a small folder takes is the filesystem's choice, not the layer's.
DiskFacts LookAtDisk(const std::string& content_root, const std::string& overlay_root);

// What the file of a blob takes; nullopt if it cannot be looked at.
std::optional<base::Bytes> BlobOnDisk(const std::string& content_root, const std::string& digest);

}  // namespace ebb::containerd
