// Runs and removals as people ask for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "history/sqlite.h"
#include "image/past.h"

namespace ebb::history {

struct PastQuery {
  base::TimePoint since = base::kNever;  // runs that were over then or later
  std::int64_t run = 0;                  // one run alone; 0: all
  std::int64_t limit = 0;                // the newest so many runs; 0: all
};

// The newest first, as they were recorded: a clock that was set back changes no order.
base::Result<std::vector<image::PastRun>> ReadRuns(Database& database, const PastQuery& query);

// Of these runs, the oldest run first, each in the order of its plan.
base::Result<std::vector<image::PastRemoval>> ReadRemovals(Database& database,
                                                           const PastQuery& query);

// The latest removal, tried or done, of that ID or name.
base::Result<std::optional<image::PastRemoval>> ReadRemoval(Database& database,
                                                            std::string_view image);

}  // namespace ebb::history
