// How much we may be in the way of everybody else's disk.
#pragma once

namespace ebb::host {

// From now on our reads and writes wait for everybody else's (ioprio_set(2), class idle), in all
// threads that are started later. Where that is refused we are as everybody else.
void UseIdleIo();

}  // namespace ebb::host
