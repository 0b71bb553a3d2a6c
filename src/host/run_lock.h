// The lock that lets one ebb remove images on a node.
#pragma once

#include <atomic>
#include <string>

#include "engine/ports.h"

namespace ebb::host {

struct RunLockOptions {
  std::string directory;  // the lock is the file `lock` in it; created with mode 0700 if missing
  std::string command;    // told to whoever finds the lock held
  base::Duration wait{};  // how long to wait for the holder; 0: not at all
  const std::atomic<bool>* stop = nullptr;  // ends the wait
};

// flock(2), so the kernel releases it however the holder ends, kill -9 included. The file itself
// stays: removing it would let two processes lock two files of one name.
class FileRunLock : public engine::RunLock {
 public:
  FileRunLock(RunLockOptions options, engine::Clock& clock)
      : options_(std::move(options)), clock_(clock) {}

  // kRefused also where the lock file cannot be opened: then nobody knows whether we are alone.
  base::Result<std::unique_ptr<Guard>> Acquire() override;

 private:
  RunLockOptions options_;
  engine::Clock& clock_;
};

// What tells this directory from every other on this machine, also one of the same name in another
// mount namespace: whoever sees the same identity shares the lock in it. Empty if there is none.
std::string IdentityOf(const std::string& directory);

}  // namespace ebb::host
