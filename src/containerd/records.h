// engine::ImageRecords over containerd's records and leases.
#pragma once

#include <memory>
#include <string>

#include "containerd/connect.h"
#include "engine/records.h"

namespace ebb::containerd {

// Leases are ours whose owner is `owner`, the identity of a state directory.
std::unique_ptr<engine::ImageRecords> MakeImageRecords(std::shared_ptr<Connection> connection,
                                                       std::string owner);

}  // namespace ebb::containerd
