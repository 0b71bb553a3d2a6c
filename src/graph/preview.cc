#include "graph/preview.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/collector.h"
#include "graph/reach.h"
#include "graph/sim_server.h"

namespace ebb::graph {
namespace {

class Rehearsal {
 public:
  Rehearsal(const World& world, const Reach& reach) : world_(world), reach_(reach) {
    server_.SetKinds(world.kinds);
    server_.tell = [this](const Event& event) {
      if (event.type == Event::Type::kDeleted) gone_.emplace(event.object.id.uid, wave_);
      collector_.Tell(event);
    };
    for (const std::size_t i : reach.outside) server_.Put(world.objects[i]);
    for (const std::size_t i : reach.inside) server_.Put(world.objects[i]);
  }

  std::vector<Outcome> Run(const Coordinates& target, std::optional<Policy> policy) {
    Settle();
    garbage_ = std::move(gone_);
    gone_.clear();
    wave_ = 1;
    (void)server_.Delete(target, {.policy = policy});
    ++wave_;
    Settle();
    NumberWaves();
    std::vector<Outcome> outcomes;
    outcomes.reserve(reach_.inside.size());
    for (const std::size_t i : reach_.inside) outcomes.push_back(OutcomeOf(world_.objects[i]));
    return outcomes;
  }

 private:
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

  Outcome OutcomeOf(const Object& before) {
    Outcome outcome{.object = before};
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
    }
    return outcome;
  }

  // Why it is still there.
  void Explain(const Object& now, Outcome& outcome) {
    const Object& before = outcome.object;
    for (const OwnerReference& owner : now.owners) {
      if (!gone_.contains(owner.uid) && !garbage_.contains(owner.uid)) {
        outcome.kept_by.push_back(owner.In(before.id.ns));
      }
    }
    if (now.deleting) {
      outcome.fate = Fate::kStuck;
      for (const std::string& finalizer : now.finalizers) {
        const bool ours = finalizer == kForegroundFinalizer || finalizer == kOrphanFinalizer;
        if (!ours) outcome.finalizers.push_back(finalizer);
      }
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

  bool IsInside(const std::string& uid) {
    if (inside_.empty()) {
      for (const std::size_t i : reach_.inside) inside_.insert(world_.objects[i].id.uid);
    }
    return inside_.contains(uid);
  }

  // An owner that goes later has waited.
  bool WaitedFor(const std::string& owner, std::size_t wave) const {
    const auto gone = gone_.find(owner);
    return gone != gone_.end() && gone->second > wave;
  }

  const World& world_;
  const Reach& reach_;
  SimServer server_;
  Collector collector_{server_};
  std::size_t wave_ = 0;
  std::map<std::string, std::size_t> gone_;  // by UID: in which wave
  std::map<std::string, std::size_t> garbage_;
  std::set<std::string> inside_;
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

std::vector<Outcome> PreviewDelete(const World& world, const Coordinates& target,
                                   std::optional<Policy> policy) {
  const auto object = std::ranges::find(
      world.objects, target.uid, [](const Object& each) -> const auto& { return each.id.uid; });
  const Reach reach = ReachOf(world, static_cast<std::size_t>(object - world.objects.begin()));
  return Rehearsal(world, reach).Run(object->id, policy);
}

}  // namespace ebb::graph
