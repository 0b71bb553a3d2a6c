// Which container we are ourselves, so that our own image is not removed.
#pragma once

#include <string>
#include <string_view>

namespace ebb::host {

// 64 hex digits, or empty outside a container. Where the container can only see its own cgroup
// root (cgroup v2 with a private namespace), containerd and CRI-O leave one trace, the ID of our
// pod's sandbox: so compare with containers and with sandboxes.
std::string OwnContainerId(const std::string& proc_root = "/proc");

// The same from the text of /proc/self/cgroup and /proc/self/mountinfo. Pure.
std::string ParseOwnContainerId(std::string_view cgroup, std::string_view mountinfo);

}  // namespace ebb::host
