// Which image records RemoveImage of an image takes away. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "containerd/listing.h"
#include "image/image.h"

namespace ebb::containerd {

// Per ID, the indices of its records: those named by it, those that stand for the same blob as one
// of these, and those from whose blob its configuration, whose digest it is, can be reached.
std::vector<std::vector<std::size_t>> RecordsOf(std::span<const image::ImageId> ids,
                                                const std::vector<ImageRecord>& records,
                                                const std::vector<ContentEntry>& content);

}  // namespace ebb::containerd
