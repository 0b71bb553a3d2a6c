// A pod that runs and is known: what shows that pod sources have heard the API server (P13).
#pragma once

#include <utility>
#include <vector>

#include "image/dead.h"

namespace ebb::testing {

// What is decided about a node beside one more pod of which that holds; the pod itself is left out.
inline image::DeadPlan DecideBesideAPod(image::Observation seen, image::KnownPods pods,
                                        const image::DeadPolicy& policy) {
  constexpr const char* kPod = "heard-of";
  image::Sandbox sandbox;
  sandbox.id = kPod;
  sandbox.pod_uid = kPod;
  sandbox.ready = true;
  sandbox.created_at = seen.taken_at;
  seen.sandboxes.push_back(sandbox);
  if (pods.pods) pods.pods->push_back({.uid = kPod, .config_hash = {}});
  seen.pods = std::move(pods);
  image::DeadPlan plan = image::DecideDead(seen, policy);
  std::erase_if(plan.things, [](const image::DeadThing& thing) { return thing.id == kPod; });
  return plan;
}

}  // namespace ebb::testing
