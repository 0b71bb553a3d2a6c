// Pods of this node, as whoever knows them tells: the kubelet, the API server, static manifests.
#pragma once

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

}  // namespace ebb::image
