#include "graph/preview.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "graph/collector.h"
#include "graph/contents.h"
#include "graph/reach.h"
#include "graph/sim_server.h"

namespace ebb::graph {
namespace {

class Rehearsal {
 public:
  Rehearsal(const World& world, const std::vector<Graph::Id>& targets, std::optional<Policy> policy)
      : world_(world), targets_(targets), policy_(policy), inside_(world.graph().places()) {
    server_.SetKinds(world.kinds);
    server_.tell = [this](const Event& event) {
      if (event.type == Event::Type::kDeleted) gone_.emplace(event.object.id.uid, wave_);
      collector_.Tell(event);
    };
    std::vector<Graph::Id> from = targets;
    for (const Graph::Id target : targets) {
      auto contents = ContentsOf(world, target);
      if (!contents) continue;
      from.insert(from.end(), contents->objects.begin(), contents->objects.end());
      contents_.emplace(target, std::move(*contents));
    }
    reach_ = ReachOf(world.graph(), from);
    for (const Graph::Id id : reach_.inside) inside_[id] = true;
    for (const Graph::Id id : reach_.outside) server_.Put(world.At(id));
    for (const Graph::Id id : reach_.inside) server_.Put(world.At(id));
  }

  std::vector<Outcome> Run() {
    Settle();
    garbage_ = std::move(gone_);
    gone_.clear();
    wave_ = 1;
    DeleteAll();
    ++wave_;
    Settle();
    ReleaseContainers();
    NumberWaves();
    std::vector<Outcome> outcomes;
    outcomes.reserve(reach_.inside.size());
    for (const Graph::Id id : reach_.inside) outcomes.push_back(OutcomeOf(id));
    return outcomes;
  }

 private:
  void DeleteAll() {
    for (const Graph::Id target : targets_) {
      const Coordinates id = world_.graph().IdentityOf(target);
      const auto contents = contents_.find(target);
      if (contents == contents_.end()) {
        (void)server_.Delete(id, {.policy = policy_});
        continue;
      }
      Object held = server_.Get(id).object;
      if (!held.Has(contents->second.finalizer)) {
        held.finalizers.push_back(contents->second.finalizer);
        server_.Put(held);
      }
      (void)server_.Delete(id, {.policy = Policy::kBackground});
      for (const Graph::Id each : contents->second.objects) {
        (void)server_.Delete(world_.graph().IdentityOf(each), {.policy = Policy::kBackground});
      }
    }
  }

  // Of those that are empty now.
  void ReleaseContainers() {
    for (const auto& [container, contents] : contents_) {
      if (!LeftIn(contents).empty()) continue;
      const Object held = server_.Get(world_.graph().IdentityOf(container)).object;
      Patch patch{.uid = held.id.uid, .resource_version = held.resource_version};
      patch.finalizers = held.finalizers;
      std::erase(*patch.finalizers, contents.finalizer);
      (void)server_.Change(held.id, patch);
    }
    Settle();
  }

  std::vector<Coordinates> LeftIn(const Contents& contents) {
    std::vector<Coordinates> left;
    for (const Graph::Id id : contents.objects) {
      Coordinates each = world_.graph().IdentityOf(id);
      if (!IsGone(each.uid)) left.push_back(std::move(each));
    }
    return left;
  }

  // One wave after the other: all that the changes of the last one lead to. What cannot be done
  // now is tried again in the next, as long as that changes anything.
  void Settle() {
    for (bool changed = true; changed; ++wave_) {
      while (collector_.TakeEvent()) continue;
      const auto before = server_.version();
      for (auto left = collector_.knowledge().to_orphan.size(); left > 0; --left) {
        (void)collector_.TryOrphan();
      }
      for (auto left = collector_.knowledge().to_delete.size(); left > 0; --left) {
        (void)collector_.TryDelete();
      }
      changed = server_.version() != before || collector_.events() > 0;
    }
  }

  // Those in which something went, from 1.
  void NumberWaves() {
    std::map<std::size_t, std::size_t> numbers;
    for (const auto& [uid, wave] : gone_) numbers[wave] = 0;
    std::size_t next = 0;
    for (auto& [wave, number] : numbers) number = ++next;
    for (auto& [uid, wave] : gone_) wave = numbers[wave];
  }

  Outcome OutcomeOf(Graph::Id id) {
    Outcome outcome{.object = world_.At(id)};
    const Object& before = outcome.object;
    for (const OwnerReference& owner : before.owners) {
      if (IsInside(owner.uid)) outcome.owners.push_back(owner.In(before.id.ns));
    }
    if (garbage_.contains(before.id.uid)) {
      outcome.fate = Fate::kGarbage;
    } else if (const auto gone = gone_.find(before.id.uid); gone != gone_.end()) {
      outcome.fate = Fate::kDeleted;
      outcome.wave = gone->second;
      outcome.blocks = std::ranges::any_of(before.owners, [&](const OwnerReference& owner) {
        return owner.blocks() && WaitedFor(owner.uid, gone->second);
      });
    } else {
      Explain(server_.Get(before.id).object, outcome);
      const auto contents = contents_.find(id);
      if (contents != contents_.end()) outcome.waits_for = LeftIn(contents->second);
    }
    return outcome;
  }

  // Why it is still there.
  void Explain(const Object& now, Outcome& outcome) {
    const Object& before = outcome.object;
    for (const OwnerReference& owner : now.owners) {
      if (!IsGone(owner.uid)) {
        outcome.kept_by.push_back(owner.In(before.id.ns));
      }
    }
    if (now.deleting) {
      outcome.fate = Fate::kStuck;
      outcome.finalizers = now.ForeignFinalizers();
      if (now.IsForeground()) outcome.waits_for = BlockersOf(now.id.uid);
      return;
    }
    outcome.fate = now.owners == before.owners ? Unchanged(now) : Fate::kReleased;
  }

  Fate Unchanged(const Object& now) const {
    Fate fate = Fate::kUntouched;
    for (const OwnerReference& owner : now.owners) {
      const auto namespaced = world_.kinds.IsNamespaced(owner.api_version, owner.kind);
      if (!namespaced) return Fate::kUndecided;
      if (*namespaced && now.id.ns.empty()) fate = Fate::kNever;
    }
    return fate;
  }

  std::vector<Coordinates> BlockersOf(const std::string& uid) {
    Graph& graph = collector_.knowledge().graph;
    std::vector<Coordinates> blockers;
    const Graph::Id id = graph.Find(uid);
    if (id == Graph::kNone) return blockers;
    for (const Graph::Id dependent : graph.BlockingDependentsOf(id)) {
      blockers.push_back(graph.IdentityOf(dependent));
    }
    return blockers;
  }

  bool IsInside(const std::string& uid) const {
    const Graph::Id id = world_.Find(uid);
    return id != Graph::kNone && inside_[id];
  }
  bool IsGone(const std::string& uid) const {
    return gone_.contains(uid) || garbage_.contains(uid);
  }

  // An owner that goes later has waited.
  bool WaitedFor(const std::string& owner, std::size_t wave) const {
    const auto gone = gone_.find(owner);
    return gone != gone_.end() && gone->second > wave;
  }

  const World& world_;
  const std::vector<Graph::Id>& targets_;
  std::optional<Policy> policy_;
  std::map<Graph::Id, Contents> contents_;  // of those targets that have any
  Reach reach_;
  std::vector<bool> inside_;
  SimServer server_;
  Collector collector_{server_};
  std::size_t wave_ = 0;
  std::unordered_map<std::string, std::size_t> gone_;  // by UID: in which wave
  std::unordered_map<std::string, std::size_t> garbage_;
};

}  // namespace

std::string_view Code(Fate fate) {
  switch (fate) {
    case Fate::kDeleted: return "deleted";
    case Fate::kGarbage: return "garbage";
    case Fate::kReleased: return "released";
    case Fate::kUntouched: return "untouched";
    case Fate::kStuck: return "stuck";
    case Fate::kUndecided: return "undecided";
    case Fate::kNever: return "never";
  }
  return "";
}

std::vector<Outcome> PreviewDelete(const World& world, const std::vector<Graph::Id>& targets,
                                   std::optional<Policy> policy) {
  return Rehearsal(world, targets, policy).Run();
}

}  // namespace ebb::graph
