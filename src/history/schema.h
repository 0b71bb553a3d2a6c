// The tables of the history file, and which files we may touch at all.
#pragma once

#include "history/sqlite.h"

namespace ebb::history {

inline constexpr std::int64_t kSchemaVersion = 3;

// Creates the tables in an empty file, and brings those of an older ebb up to date in one
// transaction. kRefused, and nothing written, if the file was made by a newer ebb or is the
// database of another program, or is an older one that may only be read.
base::Status CheckSchema(Database& database, Database::Access access);

}  // namespace ebb::history
