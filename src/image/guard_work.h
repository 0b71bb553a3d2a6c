// What the guard has to do on a node so that everything guarded is pinned, held and remembered.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "image/guard.h"
#include "image/observation.h"

namespace ebb::image {

// What containerd's CRI plugin (1.6.22, 1.7.3 and later) reports as pinned, and the kubelet then
// leaves alone (v1.29).
inline constexpr std::string_view kPinLabel = "io.cri-containerd.pinned";
inline constexpr std::string_view kPinValue = "pinned";

// On every record that the guard has pinned, beside the pin. The value says whose the pin is.
inline constexpr std::string_view kMarker = "ebb.dev/guard";
inline constexpr std::string_view kOurPin = "pin";       // ours: it goes when the guard does
inline constexpr std::string_view kTheirPin = "pinned";  // it was there before us: it stays

// A lease of the guard: it keeps what records stand for, never the records.
struct GuardLease {
  std::string id;
  base::TimePoint until = base::kNever;
  std::set<std::string> digests;
};

// How long a lease lasts, and when its successor is made.
inline constexpr base::Duration kLeaseLife = std::chrono::hours(24 * 14);
inline constexpr base::Duration kLeaseRenewal = std::chrono::hours(24);

// Labels of a record to be set; an empty value takes the label away.
struct Relabel {
  std::string record;
  Labels labels;
  bool operator==(const Relabel&) const = default;
};

struct GuardSight {
  const Observation& seen;
  const std::vector<Record>& records;     // all there are
  const std::vector<GuardLease>& leases;  // our own
  const GuardSet& before;
};

// To be done in this order: whatever it is interrupted after, the next time completes it.
struct GuardWork {
  std::vector<Relabel> take_off;      // of images that are not guarded any more
  GuardSet set;                       // what is guarded from now on
  bool save = false;                  // it is not what was saved before
  std::vector<std::string> lease;     // digests that want a new lease; empty: none is wanted
  std::vector<std::string> drop;      // leases to be given up once the new one is there
  std::vector<Relabel> put_on;        // pins and markers that are missing
  std::vector<ImageId> lost;          // guarded, and some name of it is gone
  std::vector<std::string> left_out;  // see GuardChoice
};

GuardWork DecideGuard(const GuardSight& sight, const GuardPolicy& policy);

// What taking the guard off a record takes: the marker, and the pin where it is ours. Nothing where
// there is no marker.
std::vector<Relabel> TakeOff(const std::vector<Record>& records);

}  // namespace ebb::image
