#include "graph/circles.h"

#include <algorithm>
#include <utility>

namespace ebb::graph {
namespace {

using Nodes = std::vector<std::size_t>;

// Tarjan's algorithm with a stack of its own: a chain of a million owners is no recursion.
class Search {
 public:
  explicit Search(const std::vector<Nodes>& edges)
      : edges_(edges), order_(edges.size()), low_(edges.size()), open_(edges.size()) {}

  std::vector<Nodes> Run() && {
    for (std::size_t node = 0; node < edges_.size(); ++node) {
      if (order_[node] == 0) From(node);
    }
    return std::move(circles_);
  }

 private:
  struct Step {
    std::size_t node;
    std::size_t edge = 0;
  };

  void From(std::size_t root) {
    Enter(root);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      if (step.edge == edges_[step.node].size()) {
        Leave(step.node);
        continue;
      }
      const std::size_t next = edges_[step.node][step.edge++];
      if (order_[next] == 0) {
        Enter(next);
      } else if (open_[next]) {
        low_[step.node] = std::min(low_[step.node], order_[next]);
      }
    }
  }

  void Enter(std::size_t node) {
    order_[node] = low_[node] = ++count_;
    open_[node] = true;
    stack_.push_back(node);
    steps_.push_back({node});
  }

  void Leave(std::size_t node) {
    steps_.pop_back();
    if (!steps_.empty()) {
      std::size_t& low = low_[steps_.back().node];
      low = std::min(low, low_[node]);
    }
    if (low_[node] != order_[node]) return;
    Nodes group;
    do {
      group.push_back(stack_.back());
      stack_.pop_back();
      open_[group.back()] = false;
    } while (group.back() != node);
    const bool itself = std::ranges::find(edges_[node], node) != edges_[node].end();
    if (group.size() == 1 && !itself) return;
    std::ranges::sort(group);
    circles_.push_back(std::move(group));
  }

  const std::vector<Nodes>& edges_;
  std::vector<std::size_t> order_;  // from 1; 0: not entered
  std::vector<std::size_t> low_;
  std::vector<bool> open_;
  Nodes stack_;
  std::vector<Step> steps_;
  std::vector<Nodes> circles_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<Nodes> Circles(const std::vector<Nodes>& edges) {
  return Search(edges).Run();
}

}  // namespace ebb::graph
