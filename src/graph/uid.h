// UIDs in 16 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ebb::graph {

struct Uid {
  std::array<std::uint64_t, 2> words{};
  bool operator==(const Uid&) const = default;
};

// To the API server a UID is any text. Nearly all are UUIDs, which are packed; every other text is
// remembered and numbered. Equal texts, and only these, give equal UIDs.
class Uids {
 public:
  Uid Pack(std::string_view text);
  // nullopt: no such text was ever packed.
  std::optional<Uid> Find(std::string_view text) const;
  // Requires a UID of this table.
  std::string Text(const Uid& uid) const;

 private:
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace ebb::graph
