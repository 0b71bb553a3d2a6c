#include "history/facts_table.h"

#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "history/codec.h"

namespace ebb::history {
namespace {

enum Kind : std::int64_t { kLayers = 1, kSandboxImage = 2, kVolumes = 3, kSnapshot = 4 };

using Key = std::pair<std::int64_t, std::string>;

base::Status Put(Statement& statement, Kind kind, const std::string& id,
                 std::span<const std::string> value) {
  return statement.Bind(std::int64_t{kind}).BindBlob(Pack(id)).BindBlob(PackList(value)).Run();
}

base::Status PutAll(Statement& statement, Kind kind,
                    const std::map<std::string, std::vector<std::string>>& facts) {
  for (const auto& [id, value] : facts) {
    if (const auto put = Put(statement, kind, id, value); !put.ok()) return put;
  }
  return base::Done{};
}

base::Status Add(Database& database, const engine::Facts& fresh) {
  auto insert = database.Prepare("INSERT OR REPLACE INTO facts VALUES(?, ?, ?)");
  if (!insert.ok()) return insert.error();
  if (const auto put = PutAll(*insert, kLayers, fresh.layers); !put.ok()) return put;
  for (const auto& [id, name] : fresh.sandbox_images) {
    if (const auto put = Put(*insert, kSandboxImage, id, {&name, 1}); !put.ok()) return put;
  }
  for (const auto& [key, bytes] : fresh.snapshots) {
    const std::string text = std::to_string(bytes);
    if (const auto put = Put(*insert, kSnapshot, key, {&text, 1}); !put.ok()) return put;
  }
  return PutAll(*insert, kVolumes, fresh.volumes);
}

std::set<Key> KeysOf(const engine::Facts& facts, const engine::Inventory& seen) {
  std::set<Key> keys;
  for (const auto& image : seen.images) keys.emplace(kLayers, Pack(image.id.value));
  for (const auto& sandbox : seen.sandboxes) keys.emplace(kSandboxImage, Pack(sandbox.id));
  for (const auto& container : seen.containers) keys.emplace(kVolumes, Pack(container.id));
  for (const auto& [key, bytes] : facts.snapshots) keys.emplace(kSnapshot, Pack(key));
  return keys;
}

base::Result<std::vector<Key>> UnseenKeys(Database& database, const std::set<Key>& seen) {
  auto select = database.Prepare("SELECT kind, id FROM facts");
  if (!select.ok()) return select.error();
  std::vector<Key> unseen;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return unseen;
    Key key(select->Int(0), select->Bytes(1));
    if (!seen.contains(key)) unseen.push_back(std::move(key));
  }
}

std::optional<std::int64_t> ToNumber(const std::vector<std::string>& value) {
  std::int64_t number = 0;
  if (value.size() != 1) return std::nullopt;
  const std::string& text = value.front();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void Decode(const Statement& row, engine::Facts& facts) {
  auto id = Unpack(row.Bytes(1));
  auto value = UnpackList(row.Bytes(2));
  if (!id || !value) return;
  switch (row.Int(0)) {
    case kLayers: facts.layers.insert_or_assign(std::move(*id), std::move(*value)); break;
    case kVolumes: facts.volumes.insert_or_assign(std::move(*id), std::move(*value)); break;
    case kSandboxImage:
      if (value->size() == 1) facts.sandbox_images.insert_or_assign(std::move(*id), value->front());
      break;
    case kSnapshot:
      if (const auto bytes = ToNumber(*value)) facts.snapshots.insert_or_assign(*id, *bytes);
      break;
    default: break;
  }
}

}  // namespace

base::Result<engine::Facts> ReadFacts(Database& database) {
  auto select = database.Prepare("SELECT kind, id, value FROM facts");
  if (!select.ok()) return select.error();
  engine::Facts facts;
  for (;;) {
    const auto row = select->Step();
    if (!row.ok()) return row.error();
    if (!*row) return facts;
    Decode(*select, facts);
  }
}

base::Status WriteFacts(Database& database, const engine::FactBook& book,
                        const engine::Inventory& seen) {
  if (const auto added = Add(database, book.fresh); !added.ok()) return added;
  const auto unseen = UnseenKeys(database, KeysOf(book.all, seen));
  if (!unseen.ok()) return unseen.error();
  auto forget = database.Prepare("DELETE FROM facts WHERE kind = ? AND id = ?");
  if (!forget.ok()) return forget.error();
  for (const auto& [kind, id] : *unseen) {
    if (const auto done = forget->Bind(kind).BindBlob(id).Run(); !done.ok()) return done;
  }
  return base::Done{};
}

}  // namespace ebb::history
