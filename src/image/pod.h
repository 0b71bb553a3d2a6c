// Pods of this node, as whoever knows them tells: the kubelet, the API server, static manifests.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ebb::image {

struct Pod {
  std::string uid;  // metadata.uid
  // Annotation kubernetes.io/config.hash: a static pod's containers carry it instead of the UID
  // that the API server gave to the mirror of the pod. Empty for all other pods.
  std::string config_hash;
  std::string pod_namespace;
  std::string name;
  // From a manifest on this node, or the mirror of such a pod: the kubelet has it without the API
  // server, so it is no sign that the API server was heard.
  bool is_static = false;
  bool terminated = false;          // phase Succeeded or Failed, evicted pods among them
  bool deleted = false;             // it has a deletionTimestamp
  std::vector<std::string> images;  // of all its containers and image volumes, as the spec has them
};

// What the pod sources of this node said last. They have to be asked after the runtime was: a pod
// is known before it has containers, so no new pod is taken for one that is gone.
struct KnownPods {
  // The latest answer of every source, if it is no older than ten minutes; nullopt: there is none.
  std::optional<std::vector<Pod>> pods;
  std::vector<std::string> not_answered;  // asked in vain the last time: any pod may be theirs
  std::vector<std::string> silent;  // of these, those whose last answer is too old, or never was
};

}  // namespace ebb::image
