// What a container runtime calls an image by: a name and the blob it stands for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "image/image.h"

namespace ebb::image {

using Labels = std::map<std::string, std::string>;

struct Descriptor {
  std::string media_type;
  std::string digest;
  std::int64_t size = 0;
  Labels annotations;
  bool operator==(const Descriptor&) const = default;
};

// A record of containerd. CRI keeps up to three kinds for one image: tags, names with a digest, and
// one whose name is the image's ID.
struct Record {
  std::string name;
  Descriptor target;
  Labels labels;
  bool operator==(const Record&) const = default;
};

// The records that RemoveImage of `image` takes away, as far as the names and targets tell: those
// it is listed by, the one named by its ID, and whatever stands for the same blob as one of these.
std::vector<Record> RecordsOf(const Image& image, const std::vector<Record>& all);

}  // namespace ebb::image
