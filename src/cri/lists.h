// Images, containers and sandboxes, asked for together.
#pragma once

#include "base/result.h"
#include "cri/channel.h"
#include "engine/ports.h"

namespace ebb::cri {

// Three lists in flight at once, of any size. Where connection.streams() they come as streams;
// a runtime that does not know those is asked for plain lists, now and from then on.
base::Result<engine::Inventory> ListAll(Connection& connection);

}  // namespace ebb::cri
