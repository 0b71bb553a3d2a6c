// Whether somebody has told the daemon to leave everything alone for a while.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace ebb::host {

// The file `paused` of the state directory: there until `ebb resume`, or until the time in it has
// come. It survives restarts of the daemon and of the machine.
class PauseFile {
 public:
  explicit PauseFile(const std::string& state_directory) : path_(state_directory + "/paused") {}

  // nullopt: for good. Makes the directory if it is missing.
  base::Status Pause(std::optional<base::TimePoint> until) const;
  // Nothing to resume is as good as resumed.
  base::Status Resume() const;

  struct State {
    bool paused = false;
    std::optional<base::TimePoint> until;  // nullopt: for good
  };
  // A file that cannot be read, or says no time, counts as paused: somebody wanted to be safe.
  State Read(base::TimePoint now) const;

 private:
  std::string path_;
};

}  // namespace ebb::host
