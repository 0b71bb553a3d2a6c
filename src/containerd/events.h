// engine::EventSource over containerd's own Events API, which any number of clients may read. CRI's
// events may not be: containerd 1.7 gives each one to one subscriber alone, and the kubelet needs
// it.
#pragma once

#include <memory>

#include "containerd/connect.h"
#include "engine/events.h"

namespace ebb::containerd {

// Listens from now on, in a thread of its own, to what happens to images and containers of CRI's
// namespace. A stream that breaks is opened again, after 1 s, then after longer, at most 30 s.
std::unique_ptr<engine::EventSource> Listen(std::shared_ptr<Connection> connection,
                                            engine::EventHandlers handlers);

}  // namespace ebb::containerd
