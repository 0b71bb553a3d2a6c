#include "graph/graph.h"

namespace ebb::graph {

Graph::Id Graph::Find(std::string_view uid) const {
  const auto packed = uids_.Find(uid);
  if (!packed) return kNone;
  const Id id = table_.Find(*packed, [&](Id at) { return nodes_[at].uid; });
  return id != UidTable::kNone && nodes_[id].in_graph ? id : kNone;
}

// The node of a UID, in the graph or not.
Graph::Id Graph::Place(std::string_view uid) {
  const auto uid_at = [&](Id at) { return nodes_[at].uid; };
  const Uid packed = uids_.Pack(uid);
  const Id known = table_.Find(packed, uid_at);
  if (known != UidTable::kNone) return known;
  Id id = static_cast<Id>(nodes_.size());
  if (free_nodes_.empty()) {
    nodes_.emplace_back();
  } else {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  }
  nodes_[id].uid = packed;
  table_.Add(packed, id, uid_at);
  return id;
}

Graph::Id Graph::Insert(const Coordinates& id, State state) {
  const Id at = Place(id.uid);
  nodes_[at].in_graph = true;
  nodes_[at].state = state;
  ++size_;
  Rename(at, id);
  return at;
}

void Graph::Remove(Id id) {
  DropOwners(id);
  nodes_[id].in_graph = false;
  ++nodes_[id].version;
  --size_;
  Forget(id);
}

// A place that is neither in the graph nor named by anybody is free.
void Graph::Forget(Id id) {
  if (nodes_[id].in_graph || nodes_[id].dependents != kNone) return;
  table_.Remove(nodes_[id].uid, id);
  nodes_[id] = {.version = nodes_[id].version};
  free_nodes_.push_back(id);
}

void Graph::Rename(Id id, const Coordinates& to) {
  Node& node = nodes_[id];
  node.api_version = words_.Of(to.api_version);
  node.kind = words_.Of(to.kind);
  node.ns = words_.Of(to.ns);
  node.name = names_.Add(to.name);
  ++node.version;
}

Coordinates Graph::IdentityOf(Id id) const {
  const Node& node = nodes_[id];
  return {.api_version = words_.Text(node.api_version),
          .kind = words_.Text(node.kind),
          .ns = words_.Text(node.ns),
          .name = std::string(names_.Text(node.name)),
          .uid = uids_.Text(node.uid)};
}

std::string_view Graph::NamespaceOf(Id id) const {
  return words_.Text(nodes_[id].ns);
}

bool Graph::IsStale(Handle handle) const {
  return !nodes_[handle.id].in_graph || nodes_[handle.id].version != handle.version;
}

void Graph::SetOwners(Id id, std::span<const OwnerReference> owners) {
  DropOwners(id);
  std::uint32_t last = kNone;
  for (const OwnerReference& owner : owners) {
    const Id place = Place(owner.uid);
    const std::uint32_t at = NewReference();
    references_[at] = {.owner = place,
                       .dependent = id,
                       .api_version = words_.Of(owner.api_version),
                       .kind = words_.Of(owner.kind),
                       .name = names_.Add(owner.name),
                       .block = owner.block,
                       .controller = owner.controller};
    (last == kNone ? nodes_[id].owners : references_[last].next_owner) = at;
    last = at;
    Link(at);
  }
}

void Graph::DropOwners(Id id) {
  std::uint32_t at = nodes_[id].owners;
  nodes_[id].owners = kNone;
  while (at != kNone) {
    const std::uint32_t next = references_[at].next_owner;
    const Id owner = references_[at].owner;
    Unlink(at);
    references_[at] = {.next_owner = free_reference_};
    free_reference_ = at;
    if (owner != id) Forget(owner);
    at = next;
  }
}

std::uint32_t Graph::NewReference() {
  if (free_reference_ == kNone) {
    references_.emplace_back();
    return static_cast<std::uint32_t>(references_.size() - 1);
  }
  const std::uint32_t at = free_reference_;
  free_reference_ = references_[at].next_owner;
  return at;
}

void Graph::Link(std::uint32_t reference) {
  Reference& added = references_[reference];
  Node& owner = nodes_[added.owner];
  added.previous = owner.last_dependent;
  (owner.last_dependent == kNone ? owner.dependents : references_[owner.last_dependent].next) =
      reference;
  owner.last_dependent = reference;
}

void Graph::Unlink(std::uint32_t reference) {
  const Reference& gone = references_[reference];
  Node& owner = nodes_[gone.owner];
  (gone.previous == kNone ? owner.dependents : references_[gone.previous].next) = gone.next;
  (gone.next == kNone ? owner.last_dependent : references_[gone.next].previous) = gone.previous;
}

OwnerReference Graph::Unpacked(const Reference& reference) const {
  return {.api_version = words_.Text(reference.api_version),
          .kind = words_.Text(reference.kind),
          .name = std::string(names_.Text(reference.name)),
          .uid = uids_.Text(nodes_[reference.owner].uid),
          .block = reference.block,
          .controller = reference.controller};
}

std::vector<OwnerReference> Graph::OwnersOf(Id id) const {
  std::vector<OwnerReference> owners;
  for (auto at = nodes_[id].owners; at != kNone; at = references_[at].next_owner) {
    owners.push_back(Unpacked(references_[at]));
  }
  return owners;
}

std::vector<Graph::Id> Graph::OwnerPlacesOf(Id id) const {
  std::vector<Id> owners;
  for (auto at = nodes_[id].owners; at != kNone; at = references_[at].next_owner) {
    owners.push_back(references_[at].owner);
  }
  return owners;
}

std::vector<Graph::Id> Graph::KnownOwnersOf(Id id) const {
  auto owners = OwnerPlacesOf(id);
  std::erase_if(owners, [&](Id owner) { return !nodes_[owner].in_graph; });
  return owners;
}

std::vector<OwnerReference> Graph::ReferencesOf(Id dependent, Id owner) const {
  std::vector<OwnerReference> references;
  for (auto at = nodes_[dependent].owners; at != kNone; at = references_[at].next_owner) {
    if (references_[at].owner == owner) references.push_back(Unpacked(references_[at]));
  }
  return references;
}

std::vector<Graph::Id> Graph::DependentsOf(Id id) const {
  std::vector<Id> dependents;
  for (auto at = nodes_[id].dependents; at != kNone; at = references_[at].next) {
    dependents.push_back(references_[at].dependent);
  }
  return dependents;
}

std::vector<Graph::Id> Graph::BlockingDependentsOf(Id id) const {
  std::vector<Id> blocking;
  for (auto at = nodes_[id].dependents; at != kNone; at = references_[at].next) {
    if (references_[at].block.value_or(false)) blocking.push_back(references_[at].dependent);
  }
  return blocking;
}

std::vector<Graph::Id> Graph::All() const {
  std::vector<Id> all;
  all.reserve(size_);
  for (Id id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].in_graph) all.push_back(id);
  }
  return all;
}

}  // namespace ebb::graph
