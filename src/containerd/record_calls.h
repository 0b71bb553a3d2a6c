// Calls about one image record. For the .cc files of this folder.
#pragma once

#include <string>

#include "base/result.h"
#include "containerd/channel.h"

namespace ebb::containerd {

base::Result<images_api::Image> GetRecord(const Connection& connection, const std::string& name);

// True if it was made, false if there was one of that name.
base::Result<bool> CreateRecord(const Connection& connection, const images_api::Image& record);

}  // namespace ebb::containerd
