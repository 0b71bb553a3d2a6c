// Samples of filesystems as rows: at most one a minute for each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "history/sqlite.h"
#include "image/sample.h"

namespace ebb::history {

struct SampleRow {
  std::string mountpoint;
  image::Sample sample;
};

// The minute a time belongs to, also before 1970.
std::int64_t MinuteOf(base::TimePoint time);

// Replaces what the same minute had. Within the caller's transaction.
base::Status WriteSample(Database& database, const SampleRow& row);
// Oldest first.
base::Result<std::vector<image::Sample>> ReadSamples(Database& database,
                                                     std::string_view mountpoint,
                                                     const image::Period& period);
// The filesystems there are samples of, by name.
base::Result<std::vector<std::string>> ReadMountpoints(Database& database);

}  // namespace ebb::history
