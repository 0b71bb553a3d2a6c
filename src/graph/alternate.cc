#include "graph/alternate.h"

#include <algorithm>
#include <tuple>

namespace ebb::graph {
namespace {

bool Before(const Coordinates& a, const Coordinates& b) {
  return std::tie(a.kind, a.api_version, a.ns, a.name, a.uid) <
         std::tie(b.kind, b.api_version, b.ns, b.name, b.uid);
}

}  // namespace

std::optional<Coordinates> AlternateOwner(const Graph& graph, Graph::Id owner,
                                          const std::vector<Graph::Id>& dependents,
                                          const Coordinates& absent) {
  std::optional<Coordinates> first;
  std::optional<Coordinates> next;
  for (const Graph::Id dependent : dependents) {
    for (const OwnerReference& reference : graph.ReferencesOf(dependent, owner)) {
      Coordinates other = reference.In(graph.NamespaceOf(dependent));
      // The same kind in the same version is cluster-scoped for everybody.
      const bool same_kind = other.kind == absent.kind && other.api_version == absent.api_version;
      if (absent.ns.empty() && same_kind) other.ns.clear();
      if (other == absent) continue;
      if (!first || Before(other, *first)) first = other;
      if (Before(absent, other) && (!next || Before(other, *next))) next = other;
    }
  }
  return next ? next : first;
}

}  // namespace ebb::graph
