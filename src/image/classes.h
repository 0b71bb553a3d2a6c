// Where the bytes of the image store belong: every image in one class, every byte counted once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/reason.h"

namespace ebb::image {

// All images that stay for one protection reason, or all that are free to go.
struct ByteClass {
  std::optional<Reason> reason;  // a protection; nullopt: removable, at some target
  std::size_t images = 0;
  base::Bytes bytes;  // a shared byte belongs to the strongest class that holds it
};

// Bytes that are no protected image's and that no removal of images frees, because something else
// keeps them: known only where the store could be read.
struct HeldElsewhere {
  StoreRoot::Kind kind = StoreRoot::Kind::kRecord;
  std::string space;      // containerd's namespace
  std::size_t roots = 0;  // how many containers, leases, records
  base::Bytes bytes;
};

struct ByteClasses {
  std::vector<ByteClass> classes;        // strongest first, only those that have images
  std::vector<HeldElsewhere> elsewhere;  // largest first
  base::Bytes garbage;                   // kept by nothing: goes with the next collection
  base::Bytes total;                     // the sum of the classes, exactly
  // What fills the image filesystem beside all of these; never negative. nullopt: none was
  // measured.
  std::optional<base::Bytes> not_images;
  bool estimated = true;  // the accounting is not exact, so neither is not_images
};

// Removable bytes are what goes if every removable image goes; the next class is what goes on top
// if it went as well, and so on up to images in use. "too young" ends by itself and is therefore
// the weakest protection. An image without a verdict counts as unresolved. Where the store could be
// read a byte of no protected image that something else keeps is in `elsewhere`, not removable.
ByteClasses ClassifyBytes(const Observation& seen, const Plan& plan);

// For a target out of reach: "images that must stay hold 700.0 MiB: in-use 4 (681.0 MiB), ...".
std::string WhoHoldsTheDisk(const ByteClasses& classes);

// The filesystem a plan is about: its own, else the first measured one that holds images.
const Filesystem* ImageFilesystem(const Observation& seen, const Plan& plan);

}  // namespace ebb::image
