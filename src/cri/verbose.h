// The JSON that runtimes add to verbose answers. Everybody's own invention, so nothing in it is
// relied on: what cannot be read was not told.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::cri {

// The string, or the list of strings, at a path of object keys, for example {"rootfs",
// "diff_ids"}. nullopt if it is not there, is anything else, or the JSON up to its end is broken.
// What follows it is not read.
std::optional<std::vector<std::string>> StringsAt(std::string_view json,
                                                  std::initializer_list<std::string_view> path);

// info["config"] of Status: containerd 1.x, CRI-O from 1.27, cri-dockerd. Empty: not told.
std::string SandboxImageOf(std::string_view config);

// info["info"] of PodSandboxStatus. Empty: not told.
std::string ImageOfSandbox(std::string_view info);

// info["info"] of ImageStatus: diff IDs from the base up.
std::optional<std::vector<std::string>> DiffIdsOf(std::string_view info);

}  // namespace ebb::cri
