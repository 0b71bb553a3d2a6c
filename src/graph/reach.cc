#include "graph/reach.h"

#include <unordered_set>

namespace ebb::graph {
namespace {

using Ids = std::vector<Graph::Id>;

class Walk {
 public:
  explicit Walk(const Graph& graph) : graph_(graph), seen_(graph.places()) {}

  // Those that were not seen before, at the end of `to`.
  void Dependents(Graph::Id of, Ids& to) { Fresh(graph_.DependentsOf(of), to); }
  // Whoever takes the same UID for its owner is bound to it, whether that is there or not.
  void OwnersAndSiblings(Graph::Id of, Ids& to) {
    Fresh(graph_.KnownOwnersOf(of), to);
    for (const Graph::Id owner : graph_.OwnerPlacesOf(of)) {
      if (asked_.insert(owner).second) Dependents(owner, to);
    }
  }
  void Fresh(const Ids& ids, Ids& to) {
    for (const Graph::Id id : ids) {
      if (!seen_[id]) to.push_back(id);
      seen_[id] = true;
    }
  }

 private:
  const Graph& graph_;
  std::vector<bool> seen_;
  std::unordered_set<Graph::Id> asked_;  // owners, for their dependents
};

}  // namespace

Reach ReachOf(const Graph& graph, const Ids& from) {
  Walk walk(graph);
  Reach reach;
  walk.Fresh(from, reach.inside);
  for (std::size_t next = 0; next < reach.inside.size(); ++next) {
    walk.Dependents(reach.inside[next], reach.inside);
  }
  for (const Graph::Id inside : reach.inside) walk.OwnersAndSiblings(inside, reach.outside);
  for (std::size_t next = 0; next < reach.outside.size(); ++next) {
    const Graph::Id at = reach.outside[next];
    walk.Dependents(at, reach.outside);
    walk.OwnersAndSiblings(at, reach.outside);
  }
  return reach;
}

}  // namespace ebb::graph
