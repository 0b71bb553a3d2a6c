// The configuration file of a private containerd.
#pragma once

#include <string>

namespace ebb::node {

struct ContainerdOptions {
  // What every pod's sandbox runs.
  std::string sandbox_image = "localhost/pause:1";
  // Drop the compressed layers once they are unpacked; containerd does so for pulls only.
  bool discard_unpacked_layers = false;
  // How often ImageFsInfo is measured anew, in seconds.
  int stats_period = 1;
};

// Version 2 of the format, which containerd 1.6 and 1.7 read; everything stands below `directory`.
// No registry is configured: what is not on the node cannot be had.
std::string ContainerdConfig(const std::string& directory, const ContainerdOptions& options);

}  // namespace ebb::node
