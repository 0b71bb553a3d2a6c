// Leaked content: bytes that nobody keeps and that the runtime has not collected by itself.
#pragma once

#include "engine/ports.h"

namespace ebb::engine {

// Whether a sweep would do anything now: there is something that nobody keeps, the runtime can be
// told to collect it, and the last sweep was not within the hour.
bool MaySweep(const Ports& ports, const image::Observation& seen);

// Has the runtime collect what nobody keeps, if `seen` has any of it: what a client that died held
// by a lease that has expired since, for example. At most once an hour, also across restarts; a
// sweep that keeps everybody waiting is no remedy for anything. Returns what should have come free;
// 0: there was nothing to do, or it was too soon. Requires the run lock.
base::Result<base::Bytes> Sweep(const Ports& ports, const image::Observation& seen);

}  // namespace ebb::engine
