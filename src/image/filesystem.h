// A filesystem that holds images or containers, as measured at one instant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/percent.h"

namespace ebb::image {

struct Filesystem {
  bool holds_images = false;
  bool holds_containers = false;
  bool holds_node = false;  // the kubelet's own directory (what it calls nodefs)
  std::string mountpoint;   // as the runtime reports it
  std::string path;         // the same with symlinks resolved
  std::string device;       // "major:minor"
  base::Bytes capacity;     // f_frsize * f_blocks
  base::Bytes available;    // f_frsize * f_bavail, at most capacity
  std::int64_t inodes = 0;
  std::int64_t inodes_free = 0;
  // How fast it fills as recorded, negative while it empties; nullopt: not known.
  std::optional<double> bytes_per_second;
  std::string problem;  // not empty: it could not be measured, and why

  bool measured() const { return problem.empty() && capacity.count > 0; }
  base::Bytes used() const { return capacity - available; }
};

// Requires fs.measured().
base::Percent UsedPercent(const Filesystem& fs);

}  // namespace ebb::image
