// Files of containers/storage as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::crio {

// All of a regular file of at most 512 MiB. kNotFound if there is none. Never waits for a pipe.
base::Result<std::string> ReadFile(const std::string& path);

// Differs when any of these files was changed or replaced; one that is missing counts as well.
std::string StampOf(const std::vector<std::string>& paths);

bool IsFolder(const std::string& path);

// Folders in `path` that are named as layers are: 64 hexadecimal digits. With the time of their
// last change.
struct LayerFolder {
  std::string id;
  std::string changed;
};
base::Result<std::vector<LayerFolder>> LayerFolders(const std::string& path);

}  // namespace ebb::crio
