// The owner graph: every object, and every object that somebody names as its owner.
//
// As the garbage collector of kube-controller-manager keeps it (v1.36), but for two things: a node
// that goes while others still name it keeps its place, so that "d is a dependent of o exactly if d
// names o" holds after every step, whatever the order of events; and it is packed, about 150 bytes
// for an object with one or two owners.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/object.h"
#include "graph/strings.h"
#include "graph/uid.h"
#include "graph/uid_table.h"

namespace ebb::graph {

class Graph {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = ~Id{0};

  // A node as it was when somebody took note of it: stale once its identity was corrected, or it
  // went.
  struct Handle {
    Id id = kNone;
    std::uint32_t version = 0;
    auto operator<=>(const Handle&) const = default;
  };

  // What is known of one node beyond its identity.
  struct State {
    bool is_virtual = false;  // somebody names it; it was never seen
    bool being_deleted = false;
    bool deleting_dependents = false;  // foreground: it waits for them
    bool held = false;                 // by a finalizer of somebody else's
  };

  Id Find(std::string_view uid) const;
  // Requires that Find(id.uid) gives nothing. Whoever names it already is its dependent at once.
  Id Insert(const Coordinates& id, State state);
  // Its owners lose it; those who name it go on doing so.
  void Remove(Id id);
  // Corrects everything but the UID. Handles of before are stale.
  void Rename(Id id, const Coordinates& to);
  State& At(Id id) { return nodes_[id].state; }
  const State& At(Id id) const { return nodes_[id].state; }

  Coordinates IdentityOf(Id id) const;
  std::string UidOf(Id id) const { return uids_.Text(nodes_[id].uid); }
  std::string_view NamespaceOf(Id id) const;
  Handle HandleOf(Id id) const { return {id, nodes_[id].version}; }
  bool IsStale(Handle handle) const;

  // Owners that are not in the graph get a place without being in it: see OwnerOf.
  void SetOwners(Id id, std::span<const OwnerReference> owners);
  std::vector<OwnerReference> OwnersOf(Id id) const;
  // Their places, whether they are in the graph or not; DependentsOf tells of each who names it.
  std::vector<Id> OwnerPlacesOf(Id id) const;
  // Of these, whoever is in the graph.
  std::vector<Id> KnownOwnersOf(Id id) const;
  // Those who name it, in the order in which they came to; one that names it twice stands here
  // twice.
  std::vector<Id> DependentsOf(Id id) const;
  bool HasOwners(Id id) const { return nodes_[id].owners != kNone; }
  bool HasDependents(Id id) const { return nodes_[id].dependents != kNone; }
  // Dependents whose reference to it has blockOwnerDeletion.
  std::vector<Id> BlockingDependentsOf(Id id) const;
  // How a dependent names it.
  std::vector<OwnerReference> ReferencesOf(Id dependent, Id owner) const;

  std::size_t size() const { return size_; }
  // Every Id is below this.
  std::size_t places() const { return nodes_.size(); }
  // Every node that is in the graph.
  std::vector<Id> All() const;

 private:
  struct Node {
    Uid uid;
    Interned::Id api_version = 0;
    Interned::Id kind = 0;
    Interned::Id ns = 0;
    Arena::Id name = 0;
    std::uint32_t version = 0;
    std::uint32_t owners = kNone;      // first of its references
    std::uint32_t dependents = kNone;  // first of the references that name it
    std::uint32_t last_dependent = kNone;
    State state;
    bool in_graph = false;
  };
  struct Reference {
    Id owner = kNone;
    Id dependent = kNone;
    Interned::Id api_version = 0;
    Interned::Id kind = 0;
    Arena::Id name = 0;
    std::uint32_t next_owner = kNone;  // of the same dependent
    std::uint32_t next = kNone;        // of those that name the same owner
    std::uint32_t previous = kNone;
    std::optional<bool> block;
    bool controller = false;
  };

  Id Place(std::string_view uid);
  void Link(std::uint32_t reference);
  void Unlink(std::uint32_t reference);
  std::uint32_t NewReference();
  void DropOwners(Id id);
  void Forget(Id id);
  OwnerReference Unpacked(const Reference& reference) const;

  Uids uids_;
  Interned words_;
  Arena names_;
  UidTable table_;
  std::vector<Node> nodes_;
  std::vector<Reference> references_;
  std::vector<Id> free_nodes_;
  std::uint32_t free_reference_ = kNone;  // chained by next_owner
  std::size_t size_ = 0;
};

}  // namespace ebb::graph
