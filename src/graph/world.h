// A cluster as it was read: its objects, packed, and what kinds it serves.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/kinds.h"

namespace ebb::graph {

class World {
 public:
  Kinds kinds;

  // Its resource version is not kept. Of a second object with the same UID nothing is taken but its
  // identity, in `duplicates`.
  void Add(const Object& object);

  const Graph& graph() const { return graph_; }
  // kNone if there is none.
  Graph::Id Find(std::string_view uid) const { return graph_.Find(uid); }
  Object At(Graph::Id id) const;
  std::size_t size() const { return graph_.size(); }
  // Two objects of one UID are none that can be judged: of two clusters in one file, or restored
  // from a backup beside the first.
  const std::vector<Coordinates>& duplicates() const { return duplicates_; }

 private:
  Graph graph_;
  std::unordered_map<Graph::Id, std::vector<std::string>> finalizers_;  // few have any
  std::vector<Coordinates> duplicates_;
};

}  // namespace ebb::graph
