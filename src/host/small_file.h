// Reads files that ought to be small, whoever made them.
#pragma once

#include <string>

#include "base/result.h"

namespace ebb::host {

inline constexpr std::size_t kMaxSmallFile = std::size_t{1} << 20;

enum class Symlinks { kFollow, kRefuse };

// The content of a regular file of at most 1 MiB. Never waits for a pipe or a device. kNotFound if
// there is no such file; the message names the path and the reason.
base::Result<std::string> ReadSmallFile(const std::string& path,
                                        Symlinks symlinks = Symlinks::kFollow);

}  // namespace ebb::host
