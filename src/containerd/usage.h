// What committed snapshots take, remembered.
#pragma once

#include "base/result.h"
#include "containerd/channel.h"
#include "containerd/listing.h"
#include "engine/ports.h"

namespace ebb::containerd {

// Fills SnapshotEntry::usage of committed snapshots of plain snapshotters, from `facts` or by
// asking. An answer that is an error stays unknown and is asked for again next time. What `facts`
// knows of snapshots that are not in `listing` is erased from facts.all.
base::Status FillUsage(const Connection& connection, Listing& listing, engine::FactBook& facts);

}  // namespace ebb::containerd
