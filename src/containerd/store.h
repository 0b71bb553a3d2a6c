// engine::StoreReader over containerd's own API.
#pragma once

#include <memory>

#include "containerd/connect.h"
#include "engine/ports.h"

namespace ebb::containerd {

// Reads all namespaces. To be exact it also looks at containerd's folders on this host; where it
// may not, Store::unknown says so.
std::unique_ptr<engine::StoreReader> MakeStoreReader(std::shared_ptr<Connection> connection);

}  // namespace ebb::containerd
