#include "graph/alternate.h"

#include <set>
#include <tuple>

namespace ebb::graph {
namespace {

struct Before {
  bool operator()(const Coordinates& a, const Coordinates& b) const {
    return std::tie(a.kind, a.api_version, a.ns, a.name, a.uid) <
           std::tie(b.kind, b.api_version, b.ns, b.name, b.uid);
  }
};

// Outside namespaces the same kind in the same version is the same for everybody.
Coordinates Named(const OwnerReference& reference, std::string_view ns, const Coordinates& absent) {
  const bool same_kind =
      reference.kind == absent.kind && reference.api_version == absent.api_version;
  return reference.In(absent.ns.empty() && same_kind ? "" : ns);
}

}  // namespace

std::optional<Coordinates> AlternateOwner(const Graph& graph, Graph::Id owner,
                                          const std::vector<Graph::Id>& dependents,
                                          const Coordinates& absent) {
  std::set<Coordinates, Before> others;
  for (const Graph::Id dependent : dependents) {
    for (const OwnerReference& reference : graph.ReferencesOf(dependent, owner)) {
      others.insert(Named(reference, graph.NamespaceOf(dependent), absent));
    }
  }
  others.erase(absent);
  if (others.empty()) return std::nullopt;
  const auto next = others.upper_bound(absent);
  return next == others.end() ? *others.begin() : *next;
}

}  // namespace ebb::graph
