#include "graph/owners_first.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace ebb::graph {
namespace {

using Id = Graph::Id;

std::vector<Id> ByUid(const Graph& graph, const std::vector<Id>& nodes) {
  std::vector<std::pair<std::string, Id>> named;
  named.reserve(nodes.size());
  for (const Id id : nodes) named.emplace_back(graph.UidOf(id), id);
  std::ranges::sort(named);
  std::vector<Id> sorted;
  sorted.reserve(named.size());
  for (const auto& [uid, id] : named) sorted.push_back(id);
  return sorted;
}

// Places a node behind its owners.
class Order {
 public:
  Order(const Graph& graph, const std::vector<Id>& nodes)
      : graph_(graph), unseen_(nodes.begin(), nodes.end()) {
    placed_.reserve(nodes.size());
  }

  void Place(Id node) {
    path_.emplace_back(node, false);
    while (!path_.empty()) {
      const auto [at, asked] = path_.back();
      path_.pop_back();
      if (asked) {
        placed_.push_back(at);
      } else if (unseen_.erase(at) > 0) {
        AskOwnersOf(at);
      }
    }
  }
  std::vector<Id> Take() { return std::move(placed_); }

 private:
  void AskOwnersOf(Id node) {
    path_.emplace_back(node, true);
    for (const Id owner : graph_.KnownOwnersOf(node)) {
      if (unseen_.contains(owner)) path_.emplace_back(owner, false);
    }
  }

  const Graph& graph_;
  std::unordered_set<Id> unseen_;
  std::vector<Id> placed_;
  // A node stands here until its owners are placed; `true` says that they are asked for.
  std::vector<std::pair<Id, bool>> path_;
};

}  // namespace

std::vector<Id> OwnersFirst(const Graph& graph, std::vector<Id> nodes) {
  if (nodes.size() < 2) return nodes;
  nodes = ByUid(graph, nodes);
  Order order(graph, nodes);
  for (const Id node : nodes) order.Place(node);
  return order.Take();
}

}  // namespace ebb::graph
