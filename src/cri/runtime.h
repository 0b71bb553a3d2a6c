// engine::Runtime over CRI.
#pragma once

#include <memory>

#include "cri/connect.h"
#include "engine/ports.h"

namespace ebb::cri {

// Reads through `connection`, which must not be null. Streaming lists are used once Identify()
// has met a runtime that has them.
std::unique_ptr<engine::Runtime> MakeRuntime(std::shared_ptr<Connection> connection);

}  // namespace ebb::cri
