// Which pods somebody wants on this node. CRI does not know: it lists what has been started.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "image/pod.h"

namespace ebb::engine {

// One place where pods are known. Several may be configured; each must answer for its own.
class PodSource {
 public:
  virtual ~PodSource() = default;
  // For people: "kubelet at https://127.0.0.1:10250", "manifests in /etc/kubernetes/manifests".
  virtual std::string Name() const = 0;
  // All pods it knows to be bound to this node, now. A list that may be partial is an error.
  virtual base::Result<std::vector<image::Pod>> Read() = 0;
};

}  // namespace ebb::engine
