// Texts by number: those that repeat are stored once, the others one after the other.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ebb::graph {

// Kinds, namespaces, finalizers: few texts, each in many objects.
class Interned {
 public:
  using Id = std::uint32_t;
  Id Of(std::string_view text);
  const std::string& Text(Id id) const { return texts_[id]; }

 private:
  std::deque<std::string> texts_;  // never move: the table's keys look into them
  std::unordered_map<std::string_view, Id> ids_;
};

// Names of objects: nearly all differ. What is not used any more stays until the arena goes.
class Arena {
 public:
  using Id = std::uint32_t;
  // Texts of up to 65535 bytes, 4 GiB in all; a longer one is cut, which no name of Kubernetes is.
  Id Add(std::string_view text);
  std::string_view Text(Id id) const;

 private:
  std::vector<char> bytes_;
};

}  // namespace ebb::graph
