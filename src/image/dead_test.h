// Nodes with dead containers, sandboxes and logs on them, in a few words.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "image/dead.h"
#include "testing/heard_pod.h"

namespace ebb::image {

// The policy of the kubelet's own tests: an hour, 2 per container, 6 in all. Pods are called by
// their UID; sources have answered, and know the pods that Know() names.
struct Scene {
  Scene() { seen.taken_at = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30); }

  Scene& Know(std::string_view pod) {
    pods.pods->push_back({.uid = std::string(pod), .config_hash = {}, .pod_namespace = "ns"});
    pods.pods->back().name = pod;
    return *this;
  }
  // Its ID is "pod/name#number", where numbers count the containers of the scene.
  Scene& Container(std::string_view pod, std::string_view name, base::Duration age,
                   ContainerState state = ContainerState::kExited) {
    const std::string number = std::to_string(seen.containers.size());
    image::Container container;
    container.id = std::string(pod).append("/").append(name).append("#").append(number);
    container.name = name;
    container.pod_namespace = "ns";
    container.pod_name = pod;
    container.pod_uid = pod;
    container.state = state;
    container.created_at = seen.taken_at - age;
    seen.containers.push_back(std::move(container));
    return *this;
  }
  Scene& Sandbox(std::string_view pod, std::string_view id, base::Duration age,
                 bool ready = false) {
    image::Sandbox sandbox;
    sandbox.id = id;
    sandbox.pod_namespace = "ns";
    sandbox.pod_name = pod;
    sandbox.pod_uid = pod;
    sandbox.ready = ready;
    sandbox.created_at = seen.taken_at - age;
    seen.sandboxes.push_back(std::move(sandbox));
    return *this;
  }
  // The container that was added last belongs to this sandbox.
  Scene& In(std::string_view sandbox) {
    seen.containers.back().sandbox_id = sandbox;
    return *this;
  }
  Scene& Log(std::string_view name, LogEntry::Kind kind = LogEntry::Kind::kPodDirectory) {
    seen.logs.push_back({kind, std::string(name), seen.taken_at - std::chrono::hours(5)});
    return *this;
  }

  // Unless `alone`, beside a pod that shows that the sources have heard the API server.
  DeadPlan Plan() const {
    if (!alone) return testing::DecideBesideAPod(seen, pods, policy);
    Observation with_pods = seen;
    with_pods.pods = pods;
    return DecideDead(with_pods, policy);
  }
  // IDs of what has this reason, sorted.
  std::vector<std::string> With(DeadReason reason) const {
    std::vector<std::string> ids;
    for (const DeadThing& thing : Plan().things) {
      if (thing.reason == reason) ids.push_back(thing.id);
    }
    std::ranges::sort(ids);
    return ids;
  }
  std::vector<std::string> Gone() const { return With(DeadReason::kPodGone); }
  DeadReason Of(std::string_view id) const {
    const DeadPlan plan = Plan();
    return std::ranges::find(plan.things, id, &DeadThing::id)->reason;
  }

  bool alone = false;
  Observation seen;
  KnownPods pods{.pods = std::vector<Pod>{}, .not_answered = {}, .silent = {}};
  DeadPolicy policy{
      .remove = true, .min_age = std::chrono::hours(1), .max_per_container = 2, .max_in_all = 6};
};

}  // namespace ebb::image
