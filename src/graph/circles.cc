#include "graph/circles.h"

#include <algorithm>
#include <utility>

namespace ebb::graph {
namespace {

using Nodes = std::vector<std::size_t>;

// Tarjan's algorithm with a stack of its own: a chain of a million owners is no recursion.
class Search {
 public:
  Search(std::size_t nodes, const Edges& edges)
      : edges_(edges), order_(nodes), low_(nodes), open_(nodes) {}

  std::vector<Nodes> Run() && {
    for (std::size_t node = 0; node < order_.size(); ++node) {
      if (order_[node] == 0) From(node);
    }
    return std::move(circles_);
  }

 private:
  struct Step {
    std::size_t node;
    Nodes next;  // still to be followed, from the end
  };

  void From(std::size_t root) {
    Enter(root);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      if (step.next.empty()) {
        Leave(step.node);
        continue;
      }
      const std::size_t next = step.next.back();
      step.next.pop_back();
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
    steps_.push_back({node, edges_(node)});
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
    if (group.size() == 1 && !LeadsTo(node, node)) return;
    std::ranges::sort(group);
    circles_.push_back(std::move(group));
  }

  bool LeadsTo(std::size_t node, std::size_t other) const {
    const Nodes next = edges_(node);
    return std::ranges::find(next, other) != next.end();
  }

  const Edges& edges_;
  std::vector<std::size_t> order_;  // from 1; 0: not entered
  std::vector<std::size_t> low_;
  std::vector<bool> open_;
  Nodes stack_;
  std::vector<Step> steps_;
  std::vector<Nodes> circles_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<Nodes> Circles(std::size_t nodes, const Edges& edges) {
  return Search(nodes, edges).Run();
}

}  // namespace ebb::graph
