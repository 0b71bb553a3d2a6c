// The directories in which the kubelet's image manager keeps one small JSON file per image.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace ebb::host {

// Calls `each` with the content of every regular file, of 4096 at most; none is read through a
// symlink, and one that cannot be read is passed over. kNotFound if there is no such directory.
base::Status ForEachPullFile(const std::string& directory,
                             const std::function<void(const std::string&)>& each);

// A member of a JSON object as text; empty if `json` is no object or has none.
std::string TextMember(const std::string& json, std::string_view key);

}  // namespace ebb::host
