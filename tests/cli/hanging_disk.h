// A filesystem whose server stopped: questions about its size wait for ever, as behind a dead NFS
// or FUSE server.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace ebb::cli {

// Gives this thread, and what it starts from now on, mounts of its own: they vanish with the
// process.
base::Status OwnMounts();

class HangingDisk {
 public:
  // Mounts it at `directory`, which exists. Needs root and /dev/fuse. The directory itself can
  // still be looked at: the kernel has been told about it.
  static base::Result<std::unique_ptr<HangingDisk>> Mount(const std::string& directory);
  // Lets go of everybody who waits.
  ~HangingDisk();
  HangingDisk(const HangingDisk&) = delete;
  HangingDisk& operator=(const HangingDisk&) = delete;

 private:
  HangingDisk(base::UniqueFd fd, std::string directory)
      : fd_(std::move(fd)), directory_(std::move(directory)) {}
  base::Status AnswerUntilStopped();

  base::UniqueFd fd_;
  const std::string directory_;
};

}  // namespace ebb::cli
