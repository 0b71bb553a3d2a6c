// The tables of the history file, and which files we may touch at all.
#pragma once

#include "history/sqlite.h"

namespace ebb::history {

inline constexpr std::int64_t kSchemaVersion = 1;

// Creates the tables in an empty file. kRefused, and nothing written, if the file was made by a
// newer ebb or is the database of another program.
base::Status CheckSchema(Database& database, Database::Access access);

}  // namespace ebb::history
