// A channel to a unix socket, as every client of ours opens it.
#pragma once

#include <grpcpp/channel.h>

#include <memory>

#include "base/time.h"
#include "rpc/endpoint.h"

namespace ebb::rpc {

// Lists of any size, no proxy, no retries; the first call connects, and a peer that restarts is
// found again by itself. One attempt to connect may take twice `connect_timeout`, so that the
// first call, which has that as its deadline, fails first: its error says more.
std::shared_ptr<grpc::Channel> OpenChannel(const Endpoint& endpoint,
                                           base::Duration connect_timeout);

}  // namespace ebb::rpc
