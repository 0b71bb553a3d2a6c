// Takes one Observation of this node.
#pragma once

#include "engine/ports.h"

namespace ebb::engine {

class PodBook;  // engine/claims.h

struct ObserveOptions {
  std::vector<std::string> sandbox_images;  // names the operator configured
  // Our own container or our pod's sandbox; empty: we do not run in a container.
  std::string own_container;
  // Containers that the runtime told of since the last observation; see Observation::passed.
  std::vector<image::Container> told;
  std::string node_path;  // the kubelet's directory, measured too; empty: not
  // Where images are listed, if that is not where containers are: it may be another runtime.
  std::string image_endpoint;
  PodBook* pods = nullptr;  // what pod sources said before; null: they are asked at every look
};

// kUnavailable if the runtime does not answer. What can be seen only in part is protected: it
// becomes a doubt or a warning of the observation, not an error.
base::Result<image::Observation> Observe(const Ports& ports, const ObserveOptions& options);

}  // namespace ebb::engine
