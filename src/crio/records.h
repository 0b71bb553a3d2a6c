// The lists of containers/storage: images.json, layers.json, containers.json. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "crio/listing.h"

namespace ebb::crio {

// Each takes the text of one list; an empty text is an empty list, as there. An ID that could not
// be the name of a file, and any value of another type than ours, is an error that says where. What
// else an entry has is not looked at.
base::Result<std::vector<Layer>> ParseLayers(std::string_view json);
base::Result<std::vector<ImageEntry>> ParseImages(std::string_view json);
base::Result<std::vector<ContainerEntry>> ParseContainers(std::string_view json);

}  // namespace ebb::crio
