// Collects what its owners left behind: events in, requests out.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "graph/builder.h"
#include "graph/decide.h"
#include "graph/server.h"

namespace ebb::graph {

// What came of one look at one node.
enum class Attempt {
  kIdle,    // nothing was waiting
  kStale,   // the node is not what it was when it was queued
  kDone,    // for now
  kAgain,   // something could not be asked or done: it waits again
  kAbsent,  // the server says that there is none: the graph will be told
  kNever,   // cluster-scoped, with a namespaced owner: that cannot be judged, and never will be
};

// As the garbage collector of kube-controller-manager (v1.36), with one thread for everything. It
// keeps no time: whoever drives it decides how long what failed has to wait.
class Collector {
 public:
  explicit Collector(Server& server) : server_(server), builder_(knowledge_) {}

  // In the order in which the server told.
  void Tell(Event event) { events_.push_back(std::move(event)); }
  // Before everything else: watches and proofs are told by different parties.
  void TellFirst(Event event) { events_.push_front(std::move(event)); }
  // Takes the next event into the graph; false if there is none.
  bool TakeEvent();
  // Looks at the next node that may be garbage, or whose dependents are to be let go.
  Attempt TryDelete();
  Attempt TryOrphan();

  const Knowledge& knowledge() const { return knowledge_; }
  Knowledge& knowledge() { return knowledge_; }
  std::size_t events() const { return events_.size(); }

 private:
  using Id = Graph::Id;

  Attempt Delete(Id id);
  Attempt FinishForeground(Id id);
  Attempt Judge(Id id, const Object& live);
  struct Judged {
    Attempt attempt = Attempt::kDone;  // anything else: the object cannot be judged
    std::vector<Standing> standings;
  };
  Judged StandingsOf(const Object& live);
  Judged Stand(const Object& live, const OwnerReference& owner);
  Attempt CarryOut(const Object& live, const Verdict& verdict);
  Attempt DeleteNow(const Object& live, Policy policy);
  Attempt RemoveFinalizer(const Coordinates& id, std::string_view finalizer);
  Attempt Orphan(Id id);
  Attempt LetGo(const Coordinates& dependent, const std::string& owner);
  Dependents DependentsOf(Id id) const;
  bool IsOwnedBy(Id id, Id owner) const;
  bool WaitsFor(Id id, Id other) const;
  void ProvedAbsent(const Coordinates& id);

  Server& server_;
  Knowledge knowledge_;
  Builder builder_;
  std::deque<Event> events_;
};

}  // namespace ebb::graph
