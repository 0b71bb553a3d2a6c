#include "cri/channel.h"

#include <algorithm>
#include <utility>

#include "rpc/channel.h"

namespace ebb::cri {
namespace {

using base::ErrorCode;

// Whatever kept Version from being answered, there is no CRI v1 runtime there.
base::Error NoRuntime(base::Error error) {
  if (error.code == ErrorCode::kUnavailable) return error;
  return {ErrorCode::kUnavailable,
          "somebody answers there, but no CRI v1 runtime (" + error.message +
              "): check the runtime endpoint, and that the runtime's CRI plugin is enabled"};
}

}  // namespace

Connection::Connection(rpc::Endpoint runtime, rpc::Endpoint image, const Options& options)
    : options_(options), runtime_{std::move(runtime), {}}, images_{std::move(image), {}} {
  options_.removal_timeout =
      std::max<base::Duration>(options.removal_timeout, std::chrono::minutes(5));
  options_.in_flight = std::max(options.in_flight, 1);
  options_.removals_in_flight = std::max(options.removals_in_flight, 1);
  const auto channel = rpc::OpenChannel(runtime_.endpoint, options_.connect_timeout);
  runtime_.stub = api::RuntimeService::NewStub(channel);
  const bool same = images_.endpoint.path == runtime_.endpoint.path;
  images_.stub = api::ImageService::NewStub(
      same ? channel : rpc::OpenChannel(images_.endpoint, options_.connect_timeout));
}

base::Result<image::Runtime> Connection::AskVersion() const {
  api::VersionRequest request;
  request.set_version("0.1.0");  // what the kubelet sends; runtimes expect it and ignore it
  const auto answer = rpc::Call(runtime_.To("Version", options_.connect_timeout), *runtime_.stub,
                                &api::RuntimeService::Stub::Version, request);
  if (!answer.ok()) return NoRuntime(answer.error());
  const std::string& name = answer->runtime_name();
  const std::string& version = answer->runtime_version();
  return image::Runtime{name, version, runtime_.endpoint.text, image::TraitsOf(name, version)};
}

base::Result<std::shared_ptr<Connection>> Connect(const Endpoints& endpoints,
                                                  const Options& options) {
  auto runtime = rpc::ParseEndpoint(endpoints.runtime);
  if (!runtime.ok()) return runtime.error();
  auto image = endpoints.image.empty() ? runtime : rpc::ParseEndpoint(endpoints.image);
  if (!image.ok()) return image.error();
  return std::make_shared<Connection>(std::move(*runtime), std::move(*image), options);
}

base::Result<image::Runtime> Probe(const std::string& endpoint, base::Duration timeout) {
  auto where = rpc::ParseEndpoint(endpoint);
  if (!where.ok()) return where.error();
  // Most known sockets do not exist: gRPC is not even started for them.
  if (const auto why = rpc::WhyUnreachable(*where))
    return base::Error{ErrorCode::kUnavailable, *why};
  Options options;
  options.connect_timeout = timeout;
  return Connection(*where, *where, options).AskVersion();
}

}  // namespace ebb::cri
