// Images as a decision sees them. One Image is one image ID, whatever number of names it has.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"

namespace ebb::image {

// The runtime's ID: "sha256:<config digest>" on containerd and docker, bare hex on CRI-O.
struct ImageId {
  std::string value;
  auto operator<=>(const ImageId&) const = default;
};

// How an image has been used, as far as anybody knows. kNever means not known, never "long ago".
struct Usage {
  base::TimePoint first_seen = base::kNever;   // of its present stay on this node
  base::TimePoint last_used = base::kNever;    // by a container in any state
  base::TimePoint last_pulled = base::kNever;  // when it came back after having been gone
  int starts = 0;                              // containers created from it
  base::TimePoint last_start = base::kNever;   // when the newest of them was created
  // Starts as they were worth at last_start: each loses half its weight in kStartHalfLife. See
  // RecentStarts() for what they are worth at another time.
  double recent_starts = 0;
  int pulls = 0;  // stays on this node
};

// Removals of an image that came to nothing, one after the other up to now.
struct Setback {
  int count = 0;
  base::TimePoint last = base::kNever;
  bool held = false;  // the last time the runtime refused, as somebody uses it
  std::string detail = {};
};

struct Image {
  ImageId id;
  std::vector<std::string> tags;     // repo_tags
  std::vector<std::string> digests;  // repo_digests
  base::Bytes size;                  // as the runtime reports it; see RuntimeTraits::size_meaning
  bool pinned = false;               // any listed entry of this ID is pinned
  // Runtime handlers it was pulled for (RuntimeClass); empty: for the runtime's default alone.
  std::vector<std::string> handlers;
  Usage usage;
  Setback setback = {};
};

// The newest sign of life: an image that was never used counts from when it was first seen, so
// that nothing is ever "unused since the year 1" (the kubelet's defect D1).
base::TimePoint LastSignOfLife(const Image& image);

inline constexpr base::Duration kStartHalfLife = std::chrono::hours(48);

// What the image's starts are worth at `now`, which changes by time alone between two starts, so
// nothing has to be written while nothing happens. A history that counted starts but not their
// times is worth one start, at the last use.
double RecentStarts(const Usage& usage, base::TimePoint now);

// What people call it: first tag, else first digest, else the ID.
const std::string& DisplayName(const Image& image);

// One entry per ID. Runtimes may list an ID twice; names are joined and any pinned entry pins.
std::vector<Image> MergeById(std::vector<Image> listed);

}  // namespace ebb::image

template <>
struct std::hash<ebb::image::ImageId> {
  std::size_t operator()(const ebb::image::ImageId& id) const noexcept {
    return std::hash<std::string>{}(id.value);
  }
};
