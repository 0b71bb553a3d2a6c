#include "graph/contents.h"

#include "graph/api_version.h"

namespace ebb::graph {
namespace {

// A namespace has it in its spec, a definition among its finalizers.
constexpr const char* kOfNamespace = "kubernetes";
constexpr const char* kOfDefinition = "customresourcecleanup.apiextensions.k8s.io";

template <class Inside>
std::vector<Graph::Id> All(const Graph& graph, const Inside& inside) {
  std::vector<Graph::Id> found;
  for (const Graph::Id id : graph.All()) {
    if (inside(id)) found.push_back(id);
  }
  return found;
}

}  // namespace

std::optional<Contents> ContentsOf(const World& world, Graph::Id container) {
  const Graph& graph = world.graph();
  const Coordinates is = graph.IdentityOf(container);
  if (is.kind == "Namespace" && is.api_version == "v1") {
    return Contents{kOfNamespace,
                    All(graph, [&](Graph::Id id) { return graph.NamespaceOf(id) == is.name; })};
  }
  if (is.kind == "CustomResourceDefinition" && GroupOf(is.api_version) == "apiextensions.k8s.io") {
    const auto defined = [&](Graph::Id id) {
      const Coordinates each = graph.IdentityOf(id);
      const std::string_view group = GroupOf(each.api_version);
      return is.name.ends_with(group) &&
             is.name ==
                 world.kinds.ResourceOf(each.api_version, each.kind) + "." + std::string(group);
    };
    return Contents{kOfDefinition, All(graph, defined)};
  }
  return std::nullopt;
}

}  // namespace ebb::graph
