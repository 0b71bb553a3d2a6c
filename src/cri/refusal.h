// What a runtime's answer to RemoveImage means.
#pragma once

#include <string_view>

#include "engine/ports.h"
#include "rpc/call.h"

namespace ebb::cri {

// True for the words in which runtimes refuse to remove an image that somebody uses. CRI has no
// code for it: CRI-O answers UNKNOWN, and cri-dockerd passes docker's text on.
bool SoundsHeld(std::string_view message);

// OK is kRemoved, also for an image that was absent: CRI answers both alike.
engine::RemovalResult ToRemoval(const grpc::Status& status, const rpc::Method& method);

}  // namespace ebb::cri
