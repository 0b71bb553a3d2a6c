// Who knows the pods of this node.
#pragma once

#include <memory>
#include <string>

#include "engine/pods.h"
#include "engine/ports.h"
#include "kube/access.h"

namespace ebb::kube {

// The kubelet's GET /pods, usually at https://127.0.0.1:10250 with a client certificate or a token
// that may read it (nodes/pods of the API group "", never nodes/proxy), or its read-only port
// http://127.0.0.1:10255.
std::unique_ptr<engine::PodSource> KubeletPods(Access access, engine::Clock& clock);

// The pods that the API server has bound to `node`, read page by page.
std::unique_ptr<engine::PodSource> ApiServerPods(Access access, std::string node,
                                                 engine::Clock& clock);

// The files of the kubelet's staticPodPath, as it reads them (v1.36): no directories below, no name
// that begins with a dot. A file that is no pod is an error, for its images are not known. The pods
// have no UID; with `node` their names are those of the mirrors. A directory that is missing is an
// error too.
std::unique_ptr<engine::PodSource> StaticPods(std::string directory, std::string node);

}  // namespace ebb::kube
