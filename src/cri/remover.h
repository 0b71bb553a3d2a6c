// engine::Remover over CRI.
#pragma once

#include <memory>

#include "cri/connect.h"
#include "engine/ports.h"

namespace ebb::cri {

// Removes through `connection`, which must not be null, Options::removals_in_flight at a time.
// One image that fails does not stop the others; only a runtime that has stopped answering does,
// and then the images that were not tried say so.
std::unique_ptr<engine::Remover> MakeRemover(std::shared_ptr<Connection> connection);

}  // namespace ebb::cri
