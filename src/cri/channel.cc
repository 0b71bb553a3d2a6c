#include "cri/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <utility>

namespace ebb::cri {
namespace {

using base::ErrorCode;

int Milliseconds(base::Duration duration) {
  return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

grpc::ChannelArguments Arguments(const Options& options) {
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
  // Despite its name, this is how long one attempt to connect may take. Twice, so that Version
  // meets its deadline first, whose error says more.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, Milliseconds(2 * options.connect_timeout));
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  return arguments;
}

std::shared_ptr<grpc::Channel> OpenChannel(const Endpoint& endpoint, const Options& options) {
  return grpc::CreateCustomChannel(TargetOf(endpoint), grpc::InsecureChannelCredentials(),
                                   Arguments(options));
}

// Whatever kept Version from being answered, there is no CRI v1 runtime there.
base::Error NoRuntime(base::Error error) {
  if (error.code == ErrorCode::kUnavailable) return error;
  return {ErrorCode::kUnavailable,
          "somebody answers there, but no CRI v1 runtime (" + error.message +
              "): check the runtime endpoint, and that the runtime's CRI plugin is enabled"};
}

}  // namespace

Connection::Connection(Endpoint runtime, Endpoint image, const Options& options)
    : options_(options), runtime_{std::move(runtime), {}}, images_{std::move(image), {}} {
  options_.removal_timeout =
      std::max<base::Duration>(options.removal_timeout, std::chrono::minutes(5));
  options_.in_flight = std::max(options.in_flight, 1);
  options_.removals_in_flight = std::max(options.removals_in_flight, 1);
  const auto channel = OpenChannel(runtime_.endpoint, options_);
  runtime_.stub = api::RuntimeService::NewStub(channel);
  const bool same = images_.endpoint.path == runtime_.endpoint.path;
  images_.stub =
      api::ImageService::NewStub(same ? channel : OpenChannel(images_.endpoint, options_));
}

base::Result<image::Runtime> Connection::AskVersion() const {
  api::VersionRequest request;
  request.set_version("0.1.0");  // what the kubelet sends; runtimes expect it and ignore it
  const auto answer = Call(runtime_.To("Version", options_.connect_timeout), *runtime_.stub,
                           &api::RuntimeService::Stub::Version, request);
  if (!answer.ok()) return NoRuntime(answer.error());
  const std::string& name = answer->runtime_name();
  const std::string& version = answer->runtime_version();
  return image::Runtime{name, version, runtime_.endpoint.text, image::TraitsOf(name, version)};
}

base::Result<std::shared_ptr<Connection>> Connect(const Endpoints& endpoints,
                                                  const Options& options) {
  auto runtime = ParseEndpoint(endpoints.runtime);
  if (!runtime.ok()) return runtime.error();
  auto image = endpoints.image.empty() ? runtime : ParseEndpoint(endpoints.image);
  if (!image.ok()) return image.error();
  return std::make_shared<Connection>(std::move(*runtime), std::move(*image), options);
}

base::Result<image::Runtime> Probe(const std::string& endpoint, base::Duration timeout) {
  auto where = ParseEndpoint(endpoint);
  if (!where.ok()) return where.error();
  // Most known sockets do not exist: gRPC is not even started for them.
  if (const auto why = WhyUnreachable(*where)) return base::Error{ErrorCode::kUnavailable, *why};
  Options options;
  options.connect_timeout = timeout;
  return Connection(*where, *where, options).AskVersion();
}

}  // namespace ebb::cri
