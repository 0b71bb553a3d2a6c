#include "history/meta_table.h"

namespace ebb::history {

base::Status WriteMeta(Database& database, std::string_view key, std::string_view value) {
  auto insert = database.Prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)");
  if (!insert.ok()) return insert.error();
  return insert->Bind(key).Bind(value).Run();
}

base::Result<std::optional<std::string>> ReadMeta(Database& database, std::string_view key) {
  auto select = database.Prepare("SELECT value FROM meta WHERE key = ?");
  if (!select.ok()) return select.error();
  const auto row = select->Bind(key).Step();
  if (!row.ok()) return row.error();
  if (!*row) return std::optional<std::string>();
  return std::optional(std::string(select->Bytes(0)));
}

}  // namespace ebb::history
