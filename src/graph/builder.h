// Keeps the graph by one event at a time, and says who has to be looked at for it.
#pragma once

#include <functional>
#include <vector>

#include "graph/absent_owners.h"
#include "graph/event.h"
#include "graph/graph.h"
#include "graph/work_queue.h"

namespace ebb::graph {

// Everything a collector knows and has still to do. One thread owns it.
struct Knowledge {
  Graph graph;
  AbsentOwners absent;
  WorkQueue to_delete;  // may be garbage
  WorkQueue to_orphan;  // its dependents are to be let go
  std::vector<ForeignNamespace> warnings;
};

// As the graph builder of kube-controller-manager (v1.36), but for one thing: what is to be done
// about a deletion follows from the state of the object, not from having seen it begin, so a lost
// event loses nothing (there a foreground deletion may then never end).
class Builder {
 public:
  explicit Builder(Knowledge& knowledge) : k_(knowledge) {}

  void Take(const Event& event);

 private:
  using Id = Graph::Id;

  void Observe(Id id, const Coordinates& as);
  void Add(const Object& object);
  void Update(Id id, const Object& object);
  void Remove(Id id, const Coordinates& as);
  void DropVirtual(Id id, const Coordinates& absent);
  void DropObserved(Id id, const Coordinates& absent);
  void AddToOwners(Id id, const std::vector<OwnerReference>& owners);
  bool IsSuspicious(Id id, const OwnerReference& reference);
  void QueueUnblockedOwners(const std::vector<OwnerReference>& before,
                            const std::vector<OwnerReference>& now);
  void FollowDeletion(Id id, const Object& object);
  void QueueForDelete(Id id) { k_.to_delete.Add(k_.graph.HandleOf(id)); }
  void QueueAll(const std::vector<Id>& ids);

  Knowledge& k_;
};

// Dependents whose references to `owner` all have these coordinates, and those that have others.
struct Partition {
  std::vector<Graph::Id> matching;
  std::vector<Graph::Id> others;
};
Partition PartitionByOwner(const Graph& graph, Graph::Id owner, const Coordinates& as);

}  // namespace ebb::graph
