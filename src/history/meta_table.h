// Small facts of the daemon as rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "history/sqlite.h"

namespace ebb::history {

// Within the caller's transaction.
base::Status WriteMeta(Database& database, std::string_view key, std::string_view value);
base::Result<std::optional<std::string>> ReadMeta(Database& database, std::string_view key);

}  // namespace ebb::history
