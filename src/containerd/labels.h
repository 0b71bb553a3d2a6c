// The labels by which containerd's collector knows who keeps what.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "containerd/listing.h"

namespace ebb::containerd {

// On a lease of ours; the value is the version of the form of its other labels.
inline constexpr std::string_view kHoldLabel = "ebb.dev/hold";

// On a lease of the guard.
inline constexpr std::string_view kGuardLabel = "ebb.dev/guard";

// Whether a label matters here at all.
bool KeepLabel(std::string_view key);

// Views into the labels they were read from.
struct GcLabels {
  std::vector<std::string_view> content;                                 // digests it keeps
  std::vector<std::pair<std::string_view, std::string_view>> snapshots;  // snapshotter, key
  std::vector<std::string_view> unknown;  // kinds that containerd may know and we do not
  std::optional<base::TimePoint> expires;
  bool root = false;  // never collected, whoever keeps it
  bool flat = false;  // leases: what it names is kept, and nothing that those keep by labels
};

// As containerd 1.6 to 2.3 reads them: names after "." or "/" mean nothing, values count. An
// expiry that is no RFC 3339 time is none, as there.
GcLabels ReadGcLabels(const Labels& labels);

}  // namespace ebb::containerd
