// Usage records as rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "history/sqlite.h"
#include "image/usage.h"

namespace ebb::history {

// Images that are gone from the node are remembered up to this number, newest sign of life first:
// a build node sees thousands of images a day and the file must not grow for ever.
inline constexpr std::int64_t kMaxAbsent = 2000;

// Ordered by ID.
base::Result<std::vector<image::UsageRecord>> ReadUsage(Database& database);

// Adds or replaces; a record equal to its row writes nothing. Within the caller's transaction.
base::Status WriteUsage(Database& database, const std::map<std::string, image::UsageRecord>& by_id);

}  // namespace ebb::history
