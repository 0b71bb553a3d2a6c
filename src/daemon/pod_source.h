// From what the configuration names to a source of pods.
#pragma once

#include <memory>
#include <string>

#include "config/node_config.h"
#include "engine/pods.h"
#include "engine/ports.h"

namespace ebb::daemon {

// A file that cannot be used makes a source that never answers: nothing is taken for left behind
// then, and no image goes below the critical mark (P2). The kubelet is shown the token that is
// configured, else this node's own client certificate; on the loopback its server certificate,
// which most kubelets sign themselves, is not verified unless a CA is configured. `node`: see
// FindNodeName.
std::unique_ptr<engine::PodSource> MakePodSource(const config::PodSourceConfig& source,
                                                 const std::string& node, engine::Clock& clock);

// What this node is called in the cluster: as configured, else the environment's NODE_NAME, which a
// pod can be given, else as the kubelet was told, else the host's name. In lower case, as the
// kubelet registers it.
std::string FindNodeName(const std::string& configured, const std::string& of_kubelet);

}  // namespace ebb::daemon
