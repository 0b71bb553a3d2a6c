// How long the history remembers: long enough to learn from, short enough for the disk that it
// lives on.
#pragma once

#include "history/sqlite.h"

namespace ebb::history {

// Runs and their removals. Three months tell whether a removal was regretted.
inline constexpr base::Duration kKeepRuns = std::chrono::days(90);
// Removals, whatever their age: about 40 MB.
inline constexpr std::int64_t kMaxRemovals = 100'000;
// Samples: a week has every rhythm that a forecast can use.
inline constexpr base::Duration kKeepSamples = std::chrono::days(7);

// Drops what is older than that at `now`, at most 200 runs at a time, and, beyond kMaxRemovals,
// some more than has to go, so that it is rarely needed: first removals of images that were removed
// again later, then the oldest. A run goes with the last of its removals. Usage is not touched, and
// neither is what carries a time later than `now`. Space is used again, never given back: a VACUUM
// needs as much room as the file has. Within the caller's transaction.
base::Status ForgetOld(Database& database, base::TimePoint now);

}  // namespace ebb::history
