// What becomes of one object, by how it stands with its owners. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/object.h"
#include "graph/server.h"

namespace ebb::graph {

enum class Standing {
  kSolid,     // the owner is there; also if it is being deleted in any other way than the next
  kWaiting,   // the owner is being deleted, after its dependents
  kDangling,  // the owner is proved to be absent
};

struct Verdict {
  enum class Act { kKeep, kDropReferences, kDelete };
  Act act = Act::kKeep;
  std::vector<OwnerReference> owners = {};  // kDropReferences: those that are left
  Policy policy = Policy::kBackground;      // kDelete
  // kDelete: first its own references stop blocking, for they may be a circle. Not of one that a
  // finalizer keeps: whoever waits for that has reason to. Upstream does it there too, or not, by
  // who is judged first.
  bool unblock = false;
};

// What the graph knows of the dependents of an object.
struct Dependents {
  bool any = false;
  bool deleting_theirs = false;  // one of them waits for its own, and that is a circle
};

// `standings`: one for each of object.owners. As the garbage collector of kube-controller-manager
// decides (v1.36): one solid owner keeps an object for ever, and only the references that lead
// nowhere go; without one it is deleted, and its dependents before it if an owner waits for it.
Verdict Decide(const Object& object, std::span<const Standing> standings,
               const Dependents& dependents);

}  // namespace ebb::graph
