// Nodes that somebody has to look at, each once, first in first out.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "graph/graph.h"

namespace ebb::graph {

// A handle is what waits, not a UID: a node whose identity was corrected meanwhile may wait again,
// and the stale handle is dropped when its turn comes, as upstream (v1.36).
class WorkQueue {
 public:
  void Add(Graph::Handle node) {
    if (waiting_.insert(node).second) nodes_.push_back(node);
  }
  // Behind everything that waits, also if it waits already.
  void AddLast(Graph::Handle node) {
    if (waiting_.contains(node)) std::erase(nodes_, node);
    waiting_.insert(node);
    nodes_.push_back(node);
  }
  std::optional<Graph::Handle> Take() {
    if (nodes_.empty()) return std::nullopt;
    const Graph::Handle first = nodes_.front();
    nodes_.pop_front();
    waiting_.erase(first);
    return first;
  }
  std::vector<Graph::Handle> All() const { return {nodes_.begin(), nodes_.end()}; }
  std::size_t size() const { return nodes_.size(); }

 private:
  std::deque<Graph::Handle> nodes_;
  std::set<Graph::Handle> waiting_;
};

}  // namespace ebb::graph
