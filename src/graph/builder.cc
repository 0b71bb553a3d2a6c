#include "graph/builder.h"

#include <algorithm>

#include "graph/alternate.h"
#include "graph/owners_first.h"

namespace ebb::graph {
namespace {

bool Names(const OwnerReference& reference, const Coordinates& owner) {
  return reference.uid == owner.uid && reference.name == owner.name &&
         reference.kind == owner.kind && reference.api_version == owner.api_version;
}

const OwnerReference* OfUid(const std::vector<OwnerReference>& references, const std::string& uid) {
  const auto found = std::ranges::find(references, uid, &OwnerReference::uid);
  return found == references.end() ? nullptr : &*found;
}

}  // namespace

std::string MessageOf(const ForeignNamespace& warning) {
  const OwnerReference& owner = warning.owner;
  const std::string& ns = warning.dependent.ns;
  return "ownerRef [" + owner.api_version + "/" + owner.kind + ", namespace: " + ns +
         ", name: " + owner.name + ", uid: " + owner.uid + "] does not exist in namespace \"" + ns +
         "\"";
}

Partition PartitionByOwner(const Graph& graph, Graph::Id owner, const Coordinates& as) {
  Partition partition;
  std::vector<Graph::Id> dependents = graph.DependentsOf(owner);
  std::ranges::sort(dependents);
  const auto twice = std::ranges::unique(dependents);
  dependents.erase(twice.begin(), twice.end());
  for (const Graph::Id dependent : dependents) {
    const bool elsewhere = !as.ns.empty() && graph.NamespaceOf(dependent) != as.ns;
    const auto references = graph.ReferencesOf(dependent, owner);
    const auto names = [&](const OwnerReference& each) { return !elsewhere && Names(each, as); };
    if (std::ranges::any_of(references, names)) partition.matching.push_back(dependent);
    if (!std::ranges::all_of(references, names)) partition.others.push_back(dependent);
  }
  return partition;
}

void Builder::Take(const Event& event) {
  const Coordinates& as = event.object.id;
  const Id known = k_.graph.Find(as.uid);
  const bool real = event.type != Event::Type::kProvedAbsent;
  if (real && known != Graph::kNone && k_.graph.At(known).is_virtual) Observe(known, as);
  if (event.type == Event::Type::kChanged) {
    known == Graph::kNone ? Add(event.object) : Update(known, event.object);
  } else if (known != Graph::kNone) {
    if (real) return Remove(known, as);
    k_.graph.At(known).is_virtual ? DropVirtual(known, as) : DropObserved(known, as);
  }
}

// What dependents said of it is corrected by what is seen; whoever was wrong is looked at.
void Builder::Observe(Id id, const Coordinates& as) {
  if (k_.graph.IdentityOf(id) != as) {
    for (const Id wrong : PartitionByOwner(k_.graph, id, as).others) {
      if (!as.ns.empty() && k_.graph.NamespaceOf(wrong) != as.ns) {
        const auto references = k_.graph.ReferencesOf(wrong, id);
        k_.warnings.push_back({k_.graph.IdentityOf(wrong), references.front()});
      }
      QueueForDelete(wrong);
    }
    k_.graph.Rename(id, as);
  }
  k_.graph.At(id).is_virtual = false;
}

// Whoever has named it while it was unknown to us is judged by what it really is.
void Builder::Add(const Object& object) {
  const Id id = k_.graph.Insert(object.id, {});
  QueueAll(PartitionByOwner(k_.graph, id, object.id).others);
  k_.graph.SetOwners(id, object.owners);
  AddToOwners(id, object.owners);
  FollowDeletion(id, object);
}

void Builder::Update(Id id, const Object& object) {
  const auto before = k_.graph.OwnersOf(id);
  if (before != object.owners) {
    QueueUnblockedOwners(before, object.owners);
    k_.graph.SetOwners(id, object.owners);
    std::vector<OwnerReference> added;
    std::ranges::copy_if(
        object.owners, std::back_inserter(added),
        [&](const OwnerReference& owner) { return OfUid(before, owner.uid) == nullptr; });
    AddToOwners(id, added);
  }
  FollowDeletion(id, object);
}

// A foreground deletion need not wait for it any longer.
void Builder::QueueUnblockedOwners(const std::vector<OwnerReference>& before,
                                   const std::vector<OwnerReference>& now) {
  for (const OwnerReference& old : before) {
    const OwnerReference* const kept = OfUid(now, old.uid);
    if (!old.blocks() || (kept != nullptr && kept->blocks())) continue;
    if (const Id owner = k_.graph.Find(old.uid); owner != Graph::kNone) QueueForDelete(owner);
  }
}

void Builder::AddToOwners(Id id, const std::vector<OwnerReference>& owners) {
  bool suspicious = false;
  for (const OwnerReference& reference : owners) {
    const Id owner = k_.graph.Find(reference.uid);
    if (owner == Graph::kNone) {
      const std::string ns(k_.graph.NamespaceOf(id));
      QueueForDelete(k_.graph.Insert(reference.In(ns), {.is_virtual = true}));
    } else if (!suspicious) {
      suspicious = IsSuspicious(id, reference);
    }
  }
  if (suspicious) QueueForDelete(id);
}

bool Builder::IsSuspicious(Id id, const OwnerReference& reference) {
  const Id owner = k_.graph.Find(reference.uid);
  const Coordinates is = k_.graph.IdentityOf(owner);
  const bool is_virtual = k_.graph.At(owner).is_virtual;
  const std::string_view ns = k_.graph.NamespaceOf(id);
  if (!is.ns.empty() && is.ns != ns) {
    if (!is_virtual) k_.warnings.push_back({k_.graph.IdentityOf(id), reference});
    return true;
  }
  if (!Names(reference, is)) return true;
  // A cluster-scoped dependent invented it without a namespace, which may be wrong.
  return is_virtual && is.ns.empty() && !ns.empty();
}

// Orphaning comes first: when its finalizer has gone the object changes again.
void Builder::FollowDeletion(Id id, const Object& object) {
  Graph::State& state = k_.graph.At(id);
  state.held = !object.ForeignFinalizers().empty();
  if (!object.deleting) return;
  state.being_deleted = true;
  const bool before = state.deleting_dependents;
  state.deleting_dependents = object.IsForeground();
  if (object.Has(kOrphanFinalizer)) return k_.to_orphan.Add(k_.graph.HandleOf(id));
  if (before || !state.deleting_dependents) return;
  // Whoever depends on it is judged while it still waits for them.
  QueueAll(OwnersFirst(k_.graph, k_.graph.DependentsOf(id)));
  k_.to_delete.AddLast(k_.graph.HandleOf(id));
}

void Builder::Remove(Id id, const Coordinates& as) {
  const auto dependents = k_.graph.DependentsOf(id);
  const auto owners = k_.graph.OwnersOf(id);
  k_.graph.Remove(id);
  if (!dependents.empty()) k_.absent.Add(as);
  for (const Id dependent : dependents) {
    if (dependent != id) QueueForDelete(dependent);
  }
  for (const OwnerReference& reference : owners) {
    const Id owner = k_.graph.Find(reference.uid);
    if (owner != Graph::kNone && k_.graph.At(owner).deleting_dependents) QueueForDelete(owner);
  }
}

// Somebody invented it with coordinates that are proved to be absent; others may have named it by
// better ones.
void Builder::DropVirtual(Id id, const Coordinates& absent) {
  const Partition partition = PartitionByOwner(k_.graph, id, absent);
  if (partition.others.empty()) return Remove(id, absent);
  if (!partition.matching.empty()) k_.absent.Add(absent);
  QueueAll(partition.matching);
  if (k_.graph.IdentityOf(id) != absent) return;
  const auto other = AlternateOwner(k_.graph, id, partition.others, absent);
  if (!other) return;
  k_.graph.Rename(id, *other);
  QueueForDelete(id);
}

void Builder::DropObserved(Id id, const Coordinates& absent) {
  if (k_.graph.IdentityOf(id) == absent) return Remove(id, absent);
  const auto matching = PartitionByOwner(k_.graph, id, absent).matching;
  if (!matching.empty()) k_.absent.Add(absent);
  QueueAll(matching);
}

void Builder::QueueAll(const std::vector<Id>& ids) {
  for (const Id id : ids) QueueForDelete(id);
}

}  // namespace ebb::graph
