// Small files that others write: credentials, configuration, manifests.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ebb::kube {

// A regular file of at most 1 MiB, whole. Never waits for a pipe. kNotFound if there is none; the
// message names the path and the reason.
base::Result<std::string> ReadFile(const std::string& path);

// The paths in a directory that the kubelet reads as manifests: every name that does not begin with
// a dot and is no directory, sorted. kNotFound if there is no such directory.
base::Result<std::vector<std::string>> ManifestsIn(const std::string& directory);

}  // namespace ebb::kube
