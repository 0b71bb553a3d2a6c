// Calls about one lease of ours. For the .cc files of this folder.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "containerd/channel.h"
#include "containerd/memory.h"

namespace ebb::containerd {

// The state directory that a lease belongs to.
inline constexpr std::string_view kOwnerLabel = "ebb.dev/owner";

// No other process has this id, and this one never makes two within a nanosecond.
std::string NewLeaseId(std::string_view prefix);

struct LeaseTerms {
  base::Duration life{};
  std::string owner;  // empty: nobody in particular
  WireLabels labels;  // beyond those that say the two above
};
base::Status CreateLease(const Connection& connection, const std::string& lease, LeaseTerms terms);

// Has the lease keep the blobs of these digests, and all that they refer to.
base::Status AddContent(const Connection& connection, const std::string& lease,
                        std::span<const std::string> digests);

// With `sync` the answer comes after a collection.
base::Status DeleteLease(const Connection& connection, const std::string& lease, bool sync);

void AddLabel(WireLabels& labels, std::string_view key, std::string_view value);

}  // namespace ebb::containerd
