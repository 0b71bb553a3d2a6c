// Stop on SIGINT and SIGTERM.
#pragma once

#include <atomic>

namespace ebb::host {

// From now on the first SIGINT or SIGTERM sets the returned flag, so that the batch in flight is
// finished and recorded; the second one, of either kind, ends the process as if nothing had been
// installed. System calls are interrupted: a prompt must not keep waiting for an answer.
// Call once, before threads are started.
const std::atomic<bool>& CatchStopSignals();

}  // namespace ebb::host
