// Pods out of the JSON and YAML in which Kubernetes writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "image/pod.h"

namespace ebb::kube {

struct PodList {
  std::vector<image::Pod> pods;
  std::string next;  // the continue token: not empty if this is one page of a list
};

// A v1 PodList, as the kubelet and the API server answer. Anything in it that is not as it must be
// makes an error that names the place: a list is whole or it is none.
base::Result<PodList> ParsePodList(std::string_view json);

// One v1 Pod in a file of the kubelet's static manifests, YAML or JSON. Its namespace is "default"
// where none is written, as the kubelet has it.
base::Result<image::Pod> ParseManifest(std::string_view text);

}  // namespace ebb::kube
