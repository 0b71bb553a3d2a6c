// Measures filesystems by statvfs, and cannot be held up by one that does not answer.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <string>

#include "engine/ports.h"

namespace ebb::host {

// What the kernel says about the filesystem below a path, in its own units.
struct RawFilesystem {
  std::string path;  // symlinks resolved
  unsigned device_major = 0;
  unsigned device_minor = 0;
  std::uint64_t fragment_size = 0;     // f_frsize: the unit of the two counts below
  std::uint64_t blocks = 0;            // f_blocks
  std::uint64_t blocks_available = 0;  // f_bavail: without root's reserve
  std::uint64_t inodes = 0;
  std::uint64_t inodes_free = 0;
};

// The same numbers as the kubelet computes them. More available than there is becomes all of it,
// without a problem: some network filesystems do say so. A capacity of 0, or one beyond 8 EiB, is
// a problem.
image::Filesystem ToFilesystem(const std::string& mountpoint, const RawFilesystem& raw);

// Blocks for as long as the filesystem does.
base::Result<RawFilesystem> ProbeFilesystem(const std::string& path);

class SystemFilesystems : public engine::Filesystems {
 public:
  using Probe = std::function<base::Result<RawFilesystem>(const std::string& path)>;

  explicit SystemFilesystems(Probe probe = ProbeFilesystem,
                             base::Duration limit = std::chrono::seconds(2))
      : probe_(std::move(probe)), limit_(limit) {}

  image::Filesystem Measure(const std::string& path) override;

 private:
  using Answer = std::future<base::Result<RawFilesystem>>;
  base::Result<Answer> Ask(const std::string& path) const;

  Probe probe_;
  base::Duration limit_;
  std::map<std::string, Answer> overdue_;  // questions that have not been answered in time
};

}  // namespace ebb::host
