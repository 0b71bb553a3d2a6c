#include "graph/world.h"

namespace ebb::graph {

void World::Add(const Object& object) {
  if (graph_.Find(object.id.uid) != Graph::kNone) return duplicates_.push_back(object.id);
  const Graph::State state{.being_deleted = object.deleting,
                           .deleting_dependents = object.IsForeground(),
                           .held = !object.ForeignFinalizers().empty()};
  const Graph::Id id = graph_.Insert(object.id, state);
  graph_.SetOwners(id, object.owners);
  if (!object.finalizers.empty()) finalizers_.emplace(id, object.finalizers);
}

Object World::At(Graph::Id id) const {
  Object object{.id = graph_.IdentityOf(id), .owners = graph_.OwnersOf(id)};
  object.deleting = graph_.At(id).being_deleted;
  if (const auto found = finalizers_.find(id); found != finalizers_.end()) {
    object.finalizers = found->second;
  }
  return object;
}

}  // namespace ebb::graph
