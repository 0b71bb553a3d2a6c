// What makes the daemon reclaim, and what would be enough.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "image/observation.h"
#include "image/policy.h"

namespace ebb::image {

enum class Trigger {
  kUsed,       // the high mark
  kAvailable,  // a threshold on bytes
  kInodes,     // a threshold on inodes
  kHeadroom,   // the next pull would not fit
  kWindow,     // the daily window has a low mark of its own
  kImages,     // too many images
  kAge,        // images past the age at which they go
  kSignal,     // somebody asked
};

// "used", "available", ...: in logs, metrics and the history.
std::string_view Code(Trigger trigger);
std::span<const Trigger> AllTriggers();

struct Demand {
  Trigger trigger = Trigger::kUsed;
  Target target;
  std::string why;  // one clause for people: "89% of /var/lib/containerd is used, the mark is 82%"
  // Whether what fills this filesystem can be images, or containers' writable layers: the two may
  // lie on different ones (the kubelet's layouts single, dedicated and split, v1.36).
  bool by_images = true;
  bool by_containers = false;
  bool critical = false;  // beyond the critical mark
};

// Tells one demand from another for as long as it lasts: "used /var/lib/containerd".
std::string NameOf(const Demand& demand);

// What can be seen without asking the runtime, the most pressing first. `due` are thresholds whose
// grace has passed; `largest_pull` is what headroom `auto` keeps free.
std::vector<Demand> DemandsOfDisk(std::span<const Filesystem> filesystems, const Policy& policy,
                                  std::span<const Threshold> due, base::Bytes largest_pull,
                                  base::TimePoint now);

// What only an observation shows: too many images, or some past their age.
std::vector<Demand> DemandsOfImages(const Observation& seen, const Policy& policy);

// Bytes of the largest image that came within the last week; what `headroom: auto` keeps free. By
// what it takes on disk as far as that is known.
base::Bytes LargestRecentPull(const Observation& seen);

bool Within(const DailyWindow& window, base::TimePoint now);

}  // namespace ebb::image
