// How many bytes a target asks for, and on which filesystem.
#pragma once

#include "image/observation.h"
#include "image/policy.h"

namespace ebb::image {

struct Need {
  int filesystem = -1;  // -1: no image filesystem could be measured
  Marks marks;
  base::Bytes bytes;  // 0: the target is met
};

// The image filesystem that needs most decides; two of them are never added up.
// kUnusedFor and kAllUnused need no bytes, but name the filesystem all the same.
Need NeedOf(const Observation& seen, const Policy& policy, const Target& target);

// True if `target` is a number of bytes, false if it is a rule about images.
bool IsAboutBytes(const Target& target);

}  // namespace ebb::image
