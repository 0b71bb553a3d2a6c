#include "graph/collector.h"

#include <algorithm>
#include <set>
#include <utility>

#include "graph/owners_first.h"

namespace ebb::graph {
namespace {

// A conflict is somebody else's write: what was read is read again, so often.
constexpr int kTries = 4;

using Ids = std::vector<Graph::Id>;

// Whether one of `from` is `to`, or leads there by steps of `next`.
template <class Next>
bool Reaches(Ids from, Graph::Id to, const Next& next) {
  std::set<Graph::Id> seen;
  while (!from.empty()) {
    const Graph::Id at = from.back();
    from.pop_back();
    if (at == to) return true;
    if (!seen.insert(at).second) continue;
    const Ids more = next(at);
    from.insert(from.end(), more.begin(), more.end());
  }
  return false;
}

}  // namespace

bool Collector::TakeEvent() {
  if (events_.empty()) return false;
  builder_.Take(std::exchange(events_.front(), {}));
  events_.pop_front();
  return true;
}

// A virtual node that is still one afterwards waits until its owner is seen or proved absent.
Attempt Collector::TryDelete() {
  const auto handle = knowledge_.to_delete.Take();
  if (!handle) return Attempt::kIdle;
  if (knowledge_.graph.IsStale(*handle)) return Attempt::kStale;
  Attempt attempt = Delete(handle->id);
  const bool is_virtual = knowledge_.graph.At(handle->id).is_virtual;
  if (attempt == Attempt::kDone && is_virtual) attempt = Attempt::kAgain;
  if (attempt == Attempt::kAgain) knowledge_.to_delete.Add(*handle);
  return attempt;
}

Attempt Collector::Delete(Id id) {
  const Graph::State state = knowledge_.graph.At(id);
  if (state.being_deleted && !state.deleting_dependents) return Attempt::kDone;
  const Coordinates identity = knowledge_.graph.IdentityOf(id);
  const auto namespaced = server_.IsNamespaced(identity.api_version, identity.kind);
  if (!namespaced) return Attempt::kAgain;
  if (*namespaced && identity.ns.empty()) return Attempt::kNever;
  // A virtual one was invented in the namespace of whoever named it.
  Coordinates asked = identity;
  if (!*namespaced) asked.ns.clear();
  const Found live = server_.Get(asked);
  const bool other = live.answer == Answer::kDone && live.object.id.uid != identity.uid;
  if (live.answer == Answer::kNotFound || other) {
    ProvedAbsent(identity);
    return Attempt::kAbsent;
  }
  if (live.answer != Answer::kDone) return Attempt::kAgain;
  if (state.deleting_dependents) return FinishForeground(id);
  return Judge(id, live.object);
}

// Dependents that do not block are not waited for, nor is one that waits for this very object.
// Upstream waits there for ever.
Attempt Collector::FinishForeground(Id id) {
  auto blocking = knowledge_.graph.BlockingDependentsOf(id);
  std::erase_if(blocking, [&](Id dependent) { return WaitsFor(dependent, id); });
  if (blocking.empty()) {
    return RemoveFinalizer(knowledge_.graph.IdentityOf(id), kForegroundFinalizer);
  }
  for (const Id dependent : OwnersFirst(knowledge_.graph, std::move(blocking))) {
    if (knowledge_.graph.At(dependent).deleting_dependents) continue;
    knowledge_.to_delete.Add(knowledge_.graph.HandleOf(dependent));
  }
  return Attempt::kDone;
}

// Whoever is in deletion already was judged: the event is on its way, and what its owners have come
// to since must not change the verdict.
Attempt Collector::Judge(Id id, const Object& live) {
  if (live.owners.empty() || live.deleting) return Attempt::kDone;
  const Judged judged = StandingsOf(live);
  if (judged.attempt != Attempt::kDone) return judged.attempt;
  return CarryOut(live, Decide(live, judged.standings, DependentsOf(id)));
}

// One reference that cannot be judged keeps the whole object.
Collector::Judged Collector::StandingsOf(const Object& live) {
  Judged all;
  all.standings.reserve(live.owners.size());
  for (const OwnerReference& owner : live.owners) {
    const Judged one = Stand(live, owner);
    if (one.attempt != Attempt::kDone) return one;
    all.standings.push_back(one.standings.front());
  }
  return all;
}

Collector::Judged Collector::Stand(const Object& live, const OwnerReference& owner) {
  AbsentOwners& absent = knowledge_.absent;
  if (absent.Has(owner.In("")) || absent.Has(owner.In(live.id.ns))) {
    return {.standings = {Standing::kDangling}};
  }
  const auto namespaced = server_.IsNamespaced(owner.api_version, owner.kind);
  if (!namespaced) return {.attempt = Attempt::kAgain, .standings = {}};
  if (*namespaced && live.id.ns.empty()) return {.attempt = Attempt::kNever, .standings = {}};
  const Coordinates id = owner.In(*namespaced ? live.id.ns : "");
  const Found found = server_.Get(id);
  if (found.answer != Answer::kDone && found.answer != Answer::kNotFound) {
    return {.attempt = Attempt::kAgain, .standings = {}};
  }
  if (found.answer == Answer::kNotFound || found.object.id.uid != owner.uid) {
    absent.Add(id);
    return {.standings = {Standing::kDangling}};
  }
  return {.standings = {found.object.IsForeground() ? Standing::kWaiting : Standing::kSolid}};
}

Attempt Collector::CarryOut(const Object& live, const Verdict& verdict) {
  if (verdict.act == Verdict::Act::kKeep) return Attempt::kDone;
  Patch patch{.uid = live.id.uid, .resource_version = live.resource_version};
  if (verdict.act == Verdict::Act::kDropReferences) {
    patch.owners = verdict.owners;
    const bool done = server_.Change(live.id, patch) == Answer::kDone;
    return done ? Attempt::kDone : Attempt::kAgain;
  }
  if (!verdict.unblock) return DeleteNow(live, verdict.policy);
  patch.owners = live.owners;
  for (OwnerReference& owner : *patch.owners) owner.block = false;
  if (server_.Change(live.id, patch) != Answer::kDone) return Attempt::kAgain;
  const Found unblocked = server_.Get(live.id);
  const bool same = unblocked.answer == Answer::kDone && unblocked.object.owners == *patch.owners;
  return same ? DeleteNow(unblocked.object, verdict.policy) : Attempt::kAgain;
}

// The object as it was judged, and no other: a change that left its owners alone is no reason to
// judge it anew, any other is.
Attempt Collector::DeleteNow(const Object& live, Policy policy) {
  DeleteOptions options{
      .policy = policy, .uid = live.id.uid, .resource_version = live.resource_version};
  Answer answer = server_.Delete(live.id, options);
  if (answer == Answer::kConflict) {
    const Found now = server_.Get(live.id);
    if (now.answer == Answer::kDone && now.object.id.uid == live.id.uid &&
        now.object.resource_version != live.resource_version && now.object.owners == live.owners) {
      options.resource_version.clear();
      answer = server_.Delete(live.id, options);
    } else if (now.answer == Answer::kNotFound) {
      answer = Answer::kNotFound;
    }
  }
  if (answer == Answer::kDone) return Attempt::kDone;
  if (answer != Answer::kNotFound) return Attempt::kAgain;
  ProvedAbsent(live.id);
  return Attempt::kAbsent;
}

Attempt Collector::RemoveFinalizer(const Coordinates& id, std::string_view finalizer) {
  for (int i = 0; i < kTries; ++i) {
    const Found live = server_.Get(id);
    if (live.answer == Answer::kNotFound) return Attempt::kDone;
    if (live.answer != Answer::kDone) return Attempt::kAgain;
    if (live.object.id.uid != id.uid || !live.object.Has(finalizer)) return Attempt::kDone;
    Patch patch{.uid = id.uid, .resource_version = live.object.resource_version};
    patch.finalizers = live.object.finalizers;
    std::erase(*patch.finalizers, finalizer);
    const Answer answer = server_.Change(id, patch);
    if (answer == Answer::kDone || answer == Answer::kNotFound) return Attempt::kDone;
    if (answer == Answer::kFailed) return Attempt::kAgain;
  }
  return Attempt::kAgain;
}

Attempt Collector::TryOrphan() {
  const auto handle = knowledge_.to_orphan.Take();
  if (!handle) return Attempt::kIdle;
  if (knowledge_.graph.IsStale(*handle)) return Attempt::kStale;
  const Attempt attempt = Orphan(handle->id);
  if (attempt == Attempt::kAgain) knowledge_.to_orphan.Add(*handle);
  return attempt;
}

// The owner may go only when every dependent has let go of it.
Attempt Collector::Orphan(Id id) {
  const Coordinates owner = knowledge_.graph.IdentityOf(id);
  bool all = true;
  for (const Id dependent : knowledge_.graph.DependentsOf(id)) {
    const Coordinates identity = knowledge_.graph.IdentityOf(dependent);
    all = LetGo(identity, owner.uid) == Attempt::kDone && all;
  }
  return all ? RemoveFinalizer(owner, kOrphanFinalizer) : Attempt::kAgain;
}

Attempt Collector::LetGo(const Coordinates& dependent, const std::string& owner) {
  const Found live = server_.Get(dependent);
  if (live.answer == Answer::kNotFound) return Attempt::kDone;
  if (live.answer != Answer::kDone) return Attempt::kAgain;
  if (live.object.id.uid != dependent.uid) return Attempt::kDone;
  Patch patch{.uid = dependent.uid, .resource_version = live.object.resource_version};
  patch.owners = live.object.owners;
  if (std::erase_if(*patch.owners, [&](const auto& each) { return each.uid == owner; }) == 0) {
    return Attempt::kDone;
  }
  const Answer answer = server_.Change(dependent, patch);
  const bool done = answer == Answer::kDone || answer == Answer::kNotFound;
  return done ? Attempt::kDone : Attempt::kAgain;
}

// Upstream takes any object for part of a circle one of whose dependents waits for its own.
Dependents Collector::DependentsOf(Id id) const {
  const Graph& graph = knowledge_.graph;
  const auto dependents = graph.DependentsOf(id);
  const bool deleting = std::ranges::any_of(
      dependents, [&](Id dependent) { return graph.At(dependent).deleting_dependents; });
  return {.any = !dependents.empty(), .deleting_theirs = deleting && IsOwnedBy(id, id)};
}

// By however many steps.
bool Collector::IsOwnedBy(Id id, Id owner) const {
  const Graph& graph = knowledge_.graph;
  return Reaches(graph.KnownOwnersOf(id), owner, [&](Id at) { return graph.KnownOwnersOf(at); });
}

// Whether it is being deleted, and only what blocks it keeps it: `other` in the end.
bool Collector::WaitsFor(Id id, Id other) const {
  const Graph& graph = knowledge_.graph;
  return Reaches({id}, other, [&](Id at) {
    const Graph::State& state = graph.At(at);
    const bool waits = state.deleting_dependents && !state.held;
    return waits ? graph.BlockingDependentsOf(at) : std::vector<Id>();
  });
}

void Collector::ProvedAbsent(const Coordinates& id) {
  Tell({.type = Event::Type::kProvedAbsent, .object = {.id = id}});
}

}  // namespace ebb::graph
