// Removes what was left behind: containers that ended, dead sandboxes, and their logs (P13).
#pragma once

#include <string>
#include <vector>

#include "engine/ports.h"
#include "image/dead.h"
#include "image/report.h"

namespace ebb::engine {

// A container as it is now.
struct ContainerNow {
  image::ContainerState state = image::ContainerState::kUnknown;
  std::string log_path;  // on the node; empty: the runtime writes no log, or does not tell
};

// Removes containers and sandboxes through a runtime. kNotFound where there is no such thing any
// more, kUnavailable if nobody answers. Every call has a deadline.
class ContainerRemover {
 public:
  virtual ~ContainerRemover() = default;
  virtual base::Result<ContainerNow> Look(const std::string& id) = 0;
  // The runtime kills a running one for it: never call it without a look.
  virtual base::Status RemoveContainer(const std::string& id) = 0;
  // Stops the sandbox, which frees its network, and removes it with everything in it.
  virtual base::Status RemoveSandbox(const std::string& id) = 0;
};

// The logs of pods on this node, in the kubelet's two directories.
class LogDirectories {
 public:
  virtual ~LogDirectories() = default;
  // The filesystem they are on can be measured here.
  virtual std::string Path() const = 0;
  // Directories of pods, and links whose log is gone; in no order. A node without any has none.
  virtual base::Result<std::vector<image::LogEntry>> List() = 0;
  // A directory with all that is in it, or a link. Never follows a link, never enters another
  // mount. kNotFound if there is none, kConflict if it changed since `entry` was listed.
  virtual base::Status Remove(const image::LogEntry& entry) = 0;
  // The file and those it was rotated into ("0.log", "0.log.20261130-1504.gz"). kNotFound if there
  // are none, kRefused for a path anywhere else.
  virtual base::Status RemoveFiles(const std::string& log_path) = 0;
};

// Adds the logs to what was observed; a warning if they cannot be read.
void ReadLogs(LogDirectories& logs, image::Observation& seen);

struct DeadPorts {
  Clock& clock;
  Runtime& runtime;
  ContainerRemover& remover;
  Filesystems& filesystems;
  LogDirectories* logs = nullptr;  // null: logs stay
  // Beyond it no further removal is begun: what is left is the next pass's.
  base::Duration time = std::chrono::minutes(2);
};

// What became of one thing that was to go.
struct DeadRemoval {
  std::size_t thing = 0;  // index into the plan
  image::Outcome outcome = image::Outcome::kNotTried;
  std::string detail;
};

struct DeadReport {
  base::TimePoint started = base::kNever;
  base::TimePoint finished = base::kNever;
  std::vector<DeadRemoval> removals;      // one per thing that goes, in the plan's order
  std::vector<image::Filesystem> before;  // of containers and of logs, each once
  std::vector<image::Filesystem> after;   // in the same order
  base::Bytes freed;                      // measured, over all of them; never less than 0
  std::string problem;                    // why it ended early; empty: it did not
};

// Removes what `plan` says goes: containers, then sandboxes, then logs. Each is looked at again
// right before; what runs, came back or is not empty by now is left alone (kCameInUse). One that
// fails does not stop the others; a runtime that stops answering does, and so does `stopped`
// between two removals. Requires the run lock, and a plan of this pass.
DeadReport ReclaimDead(const DeadPorts& ports, const image::DeadPlan& plan, const Stopped& stopped);

}  // namespace ebb::engine
