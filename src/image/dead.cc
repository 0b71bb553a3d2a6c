#include "image/dead.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "image/log_name.h"
#include "image/surplus.h"

namespace ebb::image {
namespace {

using Kind = DeadThing::Kind;

bool IsDead(ContainerState state) {
  return state == ContainerState::kExited || state == ContainerState::kCreated;
}

class Decider {
 public:
  Decider(const Observation& seen, const DeadPolicy& policy)
      : seen_(seen), pods_(seen.pods), policy_(policy) {}

  DeadPlan Decide() && {
    plan_.asked = pods_.pods.has_value() || !pods_.not_answered.empty();
    plan_.not_answered = pods_.not_answered;
    plan_.things.reserve(seen_.containers.size() + seen_.sandboxes.size() + seen_.logs.size());
    IndexPods();
    IndexSandboxes();
    FindRunning();
    veto_ = Veto();
    Containers();
    Sandboxes();
    for (const LogEntry& log : seen_.logs) {
      log.kind == LogEntry::Kind::kPodDirectory ? Directory(log) : Link(log);
    }
    return std::move(plan_);
  }

 private:
  void IndexPods() {
    if (!pods_.pods) return;
    for (const Pod& pod : *pods_.pods) {
      known_.insert_or_assign(pod.uid, DeadReason::kPodKnown);
      if (!pod.is_static) scheduled_.insert(pod.uid);
      known_names_.insert(pod.pod_namespace + "/" + pod.name);
      if (!pod.config_hash.empty()) known_.emplace(pod.config_hash, DeadReason::kStaticPodKnown);
    }
    known_.erase("");
  }

  void IndexSandboxes() {
    for (const Sandbox& sandbox : seen_.sandboxes) {
      sandboxes_.emplace(sandbox.id, &sandbox);
      const Sandbox*& newest = newest_[sandbox.pod_uid];
      if (newest == nullptr || newest->created_at < sandbox.created_at) newest = &sandbox;
    }
  }

  // A container that does not say its pod belongs to its sandbox's.
  std::string UidOf(const Container& container) const {
    if (!container.pod_uid.empty()) return container.pod_uid;
    const auto sandbox = sandboxes_.find(container.sandbox_id);
    return sandbox == sandboxes_.end() ? std::string() : sandbox->second->pod_uid;
  }

  void FindRunning() {
    for (const Container& container : seen_.containers) {
      if (container.state == ContainerState::kRunning) running_.insert(UidOf(container));
    }
    for (const Sandbox& sandbox : seen_.sandboxes) {
      if (sandbox.ready) running_.insert(sandbox.pod_uid);
    }
    running_.erase("");
  }

  // Why nothing of this node may go at all.
  std::optional<DeadReason> Veto() const {
    if (!seen_.doubts.empty()) return DeadReason::kInDoubt;
    if (!pods_.not_answered.empty()) return DeadReason::kNotAnswered;
    if (!pods_.pods) return DeadReason::kNotAsked;
    const auto unknown = [&](const std::string& uid) { return !known_.contains(uid); };
    if (std::ranges::any_of(running_, unknown)) return DeadReason::kUnknownPodRuns;
    const auto scheduled = [&](const std::string& uid) { return scheduled_.contains(uid); };
    if (std::ranges::none_of(running_, scheduled)) return DeadReason::kNoPodRuns;
    return std::nullopt;
  }

  std::optional<DeadReason> Known(const std::string& uid) const {
    const auto known = known_.find(uid);
    return known == known_.end() ? std::nullopt : std::optional(known->second);
  }

  // The kubelet's last resort too: the age counts from creation, not from the end.
  bool IsOld(base::TimePoint since) const {
    return since != base::kNever && seen_.taken_at - since >= policy_.min_age;
  }

  void Add(DeadThing thing, DeadReason reason) {
    thing.reason = reason;
    const bool goes = reason == DeadReason::kPodGone;
    if (goes) {
      thing.verdict = policy_.remove ? DeadVerdict::kGoes : DeadVerdict::kWouldGo;
    } else {
      thing.verdict = reason == DeadReason::kRuns ? DeadVerdict::kAlive : DeadVerdict::kStays;
    }
    plan_.things.push_back(std::move(thing));
  }

  void Containers() {
    std::vector<Countable> countable;
    for (std::size_t i = 0; i < seen_.containers.size(); ++i) {
      const Container& container = seen_.containers[i];
      const std::string uid = UidOf(container);
      if (!IsDead(container.state) || !IsOld(container.created_at) || !Known(uid)) continue;
      countable.push_back({.container = i, .group = uid + "/" + container.name});
    }
    const auto surplus = FindSurplus(seen_.containers, countable, policy_);
    for (std::size_t i = 0; i < seen_.containers.size(); ++i) {
      const Container& container = seen_.containers[i];
      const std::string uid = UidOf(container);
      const DeadReason reason = ReasonFor(container, uid, surplus.contains(i));
      if (reason != DeadReason::kPodGone) {
        occupied_.insert(container.sandbox_id);
        staying_.insert(uid);
        staying_containers_.insert(container.id);
      }
      Add({.kind = Kind::kContainer,
           .id = container.id,
           .pod_namespace = container.pod_namespace,
           .pod_name = container.pod_name,
           .pod_uid = uid,
           .container = container.name,
           .since = container.created_at},
          reason);
    }
  }

  DeadReason ReasonFor(const Container& container, const std::string& uid, bool surplus) const {
    if (container.state == ContainerState::kRunning) return DeadReason::kRuns;
    if (!IsDead(container.state)) return DeadReason::kUnknownState;
    if (veto_) return *veto_;
    if (uid.empty()) return DeadReason::kNoPod;
    if (surplus) return DeadReason::kSurplus;
    if (const auto known = Known(uid)) return *known;
    return IsOld(container.created_at) ? DeadReason::kPodGone : DeadReason::kTooYoung;
  }

  void Sandboxes() {
    for (const Sandbox& sandbox : seen_.sandboxes) {
      const DeadReason reason = ReasonFor(sandbox);
      if (reason != DeadReason::kPodGone) staying_.insert(sandbox.pod_uid);
      Add({.kind = Kind::kSandbox,
           .id = sandbox.id,
           .pod_namespace = sandbox.pod_namespace,
           .pod_name = sandbox.pod_name,
           .pod_uid = sandbox.pod_uid,
           .container = {},
           .since = sandbox.created_at},
          reason);
    }
  }

  DeadReason ReasonFor(const Sandbox& sandbox) const {
    if (sandbox.ready) return DeadReason::kRuns;
    if (veto_) return *veto_;
    if (sandbox.pod_uid.empty()) return DeadReason::kNoPod;
    const bool empty = !occupied_.contains(sandbox.id);
    if (const auto known = Known(sandbox.pod_uid)) {
      const bool newest = newest_.find(sandbox.pod_uid)->second == &sandbox;
      return empty && !newest ? DeadReason::kSurplus : *known;
    }
    if (!empty) return DeadReason::kNotEmpty;
    return IsOld(sandbox.created_at) ? DeadReason::kPodGone : DeadReason::kTooYoung;
  }

  void Directory(const LogEntry& log) {
    const PodOfLog pod = ParseLogDirectory(log.name);
    DeadThing thing{.kind = Kind::kLogDirectory,
                    .id = log.name,
                    .pod_namespace = pod.pod_namespace,
                    .pod_name = pod.name,
                    .pod_uid = pod.uid,
                    .container = {},
                    .since = log.changed};
    Add(std::move(thing), ReasonFor(log, pod));
    // A log is no corpse as long as its pod is wanted.
    if (Known(pod.uid)) plan_.things.back().verdict = DeadVerdict::kAlive;
  }

  DeadReason ReasonFor(const LogEntry& log, const PodOfLog& pod) const {
    if (pod.uid.empty()) return DeadReason::kNoPod;
    if (running_.contains(pod.uid)) return DeadReason::kRuns;
    if (veto_) return *veto_;
    if (const auto known = Known(pod.uid)) return *known;
    if (staying_.contains(pod.uid)) return DeadReason::kNotEmpty;
    return IsOld(log.changed) ? DeadReason::kPodGone : DeadReason::kTooYoung;
  }

  void Link(const LogEntry& log) {
    const LinkedLog link = ParseLogLink(log.name);
    DeadThing thing{.kind = Kind::kLogLink,
                    .id = log.name,
                    .pod_namespace = link.pod_namespace,
                    .pod_name = link.pod_name,
                    .pod_uid = {},
                    .container = link.container,
                    .since = log.changed};
    Add(std::move(thing), ReasonFor(log, link));
  }

  DeadReason ReasonFor(const LogEntry& log, const LinkedLog& link) const {
    if (link.container_id.empty()) return DeadReason::kNoPod;
    if (veto_) return *veto_;
    if (known_names_.contains(link.pod_namespace + "/" + link.pod_name)) {
      return DeadReason::kPodKnown;
    }
    if (staying_containers_.contains(link.container_id)) return DeadReason::kNotEmpty;
    return IsOld(log.changed) ? DeadReason::kPodGone : DeadReason::kTooYoung;
  }

  const Observation& seen_;
  const KnownPods& pods_;
  const DeadPolicy& policy_;
  DeadPlan plan_;
  std::optional<DeadReason> veto_;
  std::unordered_map<std::string, DeadReason> known_;  // by UID, and by hash of a static pod
  std::unordered_set<std::string> known_names_;        // "namespace/name"
  std::unordered_set<std::string> scheduled_;          // UIDs of pods that only the API server has
  std::unordered_map<std::string, const Sandbox*> sandboxes_;
  std::unordered_map<std::string, const Sandbox*> newest_;  // by pod UID
  std::unordered_set<std::string> running_;                 // UIDs of pods of which something runs
  std::unordered_set<std::string> staying_;                 // UIDs of pods of which something stays
  std::unordered_set<std::string> occupied_;                // sandboxes in which a container stays
  std::unordered_set<std::string> staying_containers_;
};

}  // namespace

std::string_view Code(DeadThing::Kind kind) {
  switch (kind) {
    case Kind::kContainer: return "container";
    case Kind::kSandbox: return "sandbox";
    case Kind::kLogDirectory: return "log-directory";
    case Kind::kLogLink: return "log-link";
  }
  return "";
}

DeadPlan DecideDead(const Observation& seen, const DeadPolicy& policy) {
  return Decider(seen, policy).Decide();
}

}  // namespace ebb::image
