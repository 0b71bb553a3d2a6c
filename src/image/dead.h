// What has ended and was left behind: containers, sandboxes and logs, and what of it may go (P13).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "image/dead_reason.h"
#include "image/observation.h"
#include "image/pod.h"
#include "image/policy.h"

namespace ebb::image {

struct DeadThing {
  enum class Kind { kContainer, kSandbox, kLogDirectory, kLogLink };
  Kind kind = Kind::kContainer;
  std::string id;  // of a container or sandbox; the name of a log directory or link
  std::string pod_namespace;
  std::string pod_name;
  std::string pod_uid;
  std::string container;                 // its name; empty for sandboxes and log directories
  base::TimePoint since = base::kNever;  // created; for logs last changed
  DeadVerdict verdict = DeadVerdict::kStays;
  DeadReason reason = DeadReason::kInDoubt;
};

// "container", "sandbox", "log-directory", "log-link".
std::string_view Code(DeadThing::Kind kind);

// Everything that was observed: containers, then sandboxes, then logs, which is the order of
// removal as well.
struct DeadPlan {
  std::vector<DeadThing> things;
  std::vector<std::string> not_answered;  // of KnownPods
  bool asked = false;                     // whether pod sources were asked at all
};

// The rules of the kubelet (v1.36), and stricter where it can know what we cannot: what is RUNNING
// or UNKNOWN never goes, nor does anything of a pod that is known, terminated or not; sandboxes and
// logs have a minimum age too. Nothing at all goes if a source is missing, if a pod runs that no
// source knows, or if no known pod runs that came from the API server: after a reboot a kubelet
// answers before it has heard it, and knows its static pods alone. Pods are those of `seen`: their
// sources have to have answered in this pass for anything to be removed by this plan.
DeadPlan DecideDead(const Observation& seen, const DeadPolicy& policy);

}  // namespace ebb::image
