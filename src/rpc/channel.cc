#include "rpc/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>

namespace ebb::rpc {
namespace {

int Milliseconds(base::Duration duration) {
  return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

grpc::ChannelArguments Arguments(base::Duration connect_timeout) {
  grpc::ChannelArguments arguments;
  // Go servers refuse a socket path as :authority.
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  // A removal must not be sent twice behind our back, and every call is cheaper without.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // A probe's failed attempts must not slow the next connection down.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // Despite its name, this is how long one attempt to connect may take.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, Milliseconds(2 * connect_timeout));
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  return arguments;
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const Endpoint& endpoint,
                                           base::Duration connect_timeout) {
  return grpc::CreateCustomChannel(TargetOf(endpoint), grpc::InsecureChannelCredentials(),
                                   Arguments(connect_timeout));
}

}  // namespace ebb::rpc
