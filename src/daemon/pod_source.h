// From what the configuration names to a source of pods.
#pragma once

#include <memory>

#include "config/node_config.h"
#include "engine/pods.h"
#include "engine/ports.h"

namespace ebb::daemon {

// A kubeconfig that cannot be used makes a source that never answers: nothing is taken for left
// behind then, and images do not wait for it (P10). The kubelet is asked with its own client
// certificate; on the loopback its server certificate, which most kubelets sign themselves, is not
// verified.
std::unique_ptr<engine::PodSource> MakePodSource(const config::PodSourceConfig& source,
                                                 engine::Clock& clock);

}  // namespace ebb::daemon
