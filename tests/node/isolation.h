// A process tree of its own for everything the bench starts, so that it can leave no trace.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace ebb::node {

// Calls `body` in a child that has mounts, process ids, a network (loopback only) and an empty
// /run of its own, and returns its exit code. When the child ends, however it ends, every process
// below it is killed and every mount and loop device is given back; cgroups are removed after
// that. SIGINT, SIGTERM and SIGHUP end it at once with 128 + N; so does SIGKILL of this process,
// except that its empty cgroups wait for the next call.
// kUnsupported when the kernel refuses: `body` was not called then. Needs root, and a process that
// has no threads yet.
base::Result<int> RunIsolated(const std::function<int()>& body);

// True inside the body of RunIsolated.
bool Isolated();

// The cgroup for the pods of this bench; empty outside of RunIsolated.
const std::string& CgroupParent();

// Why no node can be made here, as one sentence; nothing when one can.
std::optional<std::string> WhyNoNode();

}  // namespace ebb::node
