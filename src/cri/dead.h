// engine::ContainerRemover over CRI.
#pragma once

#include <memory>

#include "cri/connect.h"
#include "engine/dead.h"

namespace ebb::cri {

// Works through `connection`, which must not be null. Each call has Options::list_timeout, which is
// what the kubelet waits for the same calls.
std::unique_ptr<engine::ContainerRemover> MakeContainerRemover(
    std::shared_ptr<Connection> connection);

}  // namespace ebb::cri
