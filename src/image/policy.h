// What the operator wants: validated numbers and rules. config/ makes it; it cannot be wrong.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/percent.h"
#include "base/time.h"
#include "image/guard.h"
#include "image/reference.h"
#include "image/threshold.h"

namespace ebb::image {

// An eviction threshold or mark: per cent or bytes that must stay available.
using Quantity = std::variant<base::Percent, base::Bytes>;

// What the kubelet of this node will do about image disk; nullopt where it could not be read.
struct KubeletThresholds {
  std::optional<base::Percent> image_gc_high;  // imageGCHighThresholdPercent
  std::optional<base::Percent> image_gc_low;   // imageGCLowThresholdPercent
  std::optional<Quantity> hard_imagefs;        // evictionHard["imagefs.available"]
  // Hard and soft, of disks alone: what it evicts pods for. Soft ones have their grace period.
  std::vector<Threshold> evictions;
  std::string source;  // file or flags it was read from
};

struct MarkSettings {
  std::optional<base::Percent> high;  // nullopt: auto
  std::optional<base::Percent> low;
  std::optional<KubeletThresholds> kubelet;
};

// Used per cent of one filesystem. low < high <= critical <= 100 always holds.
struct Marks {
  base::Percent high{82};
  base::Percent low{80};
  base::Percent critical{99};
  std::optional<base::Percent> kubelet_high;
  std::string source;  // where high and low come from, for people
};

// `auto` is 3 points below the lowest of the kubelet's image GC mark, its hard eviction and 85;
// low is 2 below high; without a kubelet 82/80. Critical is 1 below the kubelet's hard eviction.
// Byte quantities become per cent by `capacity`.
Marks ResolveMarks(const MarkSettings& settings, base::Bytes capacity);

// What it costs to have removed an image that is wanted again.
enum class RemovalPolicy {
  kReuse,  // expected seconds of pulling again, from recent starts and idle time
  kIdle,   // the same from idle time alone
  kLru,    // nothing is weighed: the least recently used goes first
  kBytes,  // as kReuse, but bytes pulled again instead of seconds
};

// "reuse", "idle", "lru", "bytes".
std::string_view Code(RemovalPolicy policy);
std::optional<RemovalPolicy> ParseRemovalPolicy(std::string_view code);

// How much one run may remove at most (P9).
struct BlastRadius {
  std::size_t max_images = 64;
  base::Percent max_percent{50};  // of the images on the node
  std::optional<base::Bytes> max_bytes;
};

// Images of the pattern go once they have been unused for longer, whatever the disk says.
struct AgeRule {
  Pattern pattern;
  base::Duration age{};
};

// A part of every day, in UTC, with a low mark of its own. May pass midnight.
struct DailyWindow {
  base::Duration from{};  // since midnight
  base::Duration to{};
  base::Percent low;
  bool operator==(const DailyWindow&) const = default;
};

// What else than the marks makes the daemon reclaim.
struct Triggers {
  std::vector<Threshold> thresholds;
  std::size_t max_images = 0;  // more than so many on the node; 0: off
  std::optional<DailyWindow> window;
  // Kept free for the next pull; nullopt: as much as the largest recent one took. 0: off.
  std::optional<base::Bytes> headroom = base::Bytes{};
};

// Containers, sandboxes and logs that were left behind (P13). The limits are the kubelet's, and say
// what counts as too much of a pod that is known; such a pod's things are reported, never removed.
struct DeadPolicy {
  bool remove = false;                               // false: all is reported and nothing removed
  base::Duration min_age = std::chrono::hours(1);    // since creation
  std::optional<std::size_t> max_per_container = 1;  // nullopt: any number
  std::optional<std::size_t> max_in_all;             // nullopt: any number
};

struct Policy {
  std::vector<Pattern> protect;
  base::Duration min_seen_age = std::chrono::minutes(2);   // since first seen
  base::Duration min_idle_age = std::chrono::minutes(10);  // since last use
  base::Duration max_idle_age{};                           // 0: age alone removes nothing
  std::vector<AgeRule> unused_for;  // the first rule that matches stands before max_idle_age
  base::Duration long_idle = std::chrono::hours(24);  // what P12 calls long idle
  RemovalPolicy removal = RemovalPolicy::kReuse;
  std::size_t keep_newest = 0;  // images of each repository that are kept if possible; 0: none
  MarkSettings marks;
  Triggers triggers;
  BlastRadius radius;
  DeadPolicy dead;
  GuardPolicy guard;
};

// What one run is for.
struct Target {
  enum class Kind {
    kMarks,        // above high: down to low; below high: nothing
    kUsedPercent,  // --to 70%
    kFreeBytes,    // --free 5Gi: this many more than now
    kUnusedFor,    // --unused-for 168h
    kAllUnused,    // --all-unused
    kAvailable,    // until so many bytes are available
    kInodes,       // until so many inodes are free
    kImages,       // until no more than so many images are left
  };
  Kind kind = Kind::kMarks;
  base::Percent percent;
  base::Bytes bytes;
  base::Duration age{};
  std::int64_t count = 0;       // inodes, images
  std::string mountpoint = {};  // of the filesystem it is about; empty: whichever needs most
};

}  // namespace ebb::image
