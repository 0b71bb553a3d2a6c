#include "containerd/channel.h"

#include <algorithm>
#include <utility>

#include "rpc/channel.h"

namespace ebb::containerd {
namespace {

using base::ErrorCode;

// Whatever kept the answer away, containerd's own API cannot be used there.
base::Error NoContainerd(const base::Error& error) {
  if (error.code == ErrorCode::kUnavailable) return error;
  return {ErrorCode::kUnavailable, "somebody answers there, but it is no containerd (" +
                                       error.message + "): check the endpoint"};
}

}  // namespace

Connection::Connection(rpc::Endpoint endpoint, const Options& options)
    : endpoint_(std::move(endpoint)), options_(options) {
  options_.in_flight = std::max(options.in_flight, 1);
  options_.release_timeout =
      std::max<base::Duration>(options.release_timeout, std::chrono::minutes(5));
  const auto channel = rpc::OpenChannel(endpoint_, options_.connect_timeout);
  introspection_ = introspection_api::Introspection::NewStub(channel);
  version_ = version_api::Version::NewStub(channel);
  namespaces_ = namespaces_api::Namespaces::NewStub(channel);
  images_ = images_api::Images::NewStub(channel);
  content_ = content_api::Content::NewStub(channel);
  snapshots_ = snapshots_api::Snapshots::NewStub(channel);
  containers_ = containers_api::Containers::NewStub(channel);
  leases_ = leases_api::Leases::NewStub(channel);
  events_ = events_api::Events::NewStub(channel);
}

rpc::Method Connection::To(std::string_view name, const std::string& space) const {
  rpc::Method method{name, endpoint_, options_.call_timeout, {}};
  if (!space.empty()) method.headers.emplace_back("containerd-namespace", space);
  return method;
}

base::Result<std::shared_ptr<Connection>> Connect(const std::string& endpoint,
                                                  const Options& options) {
  auto where = rpc::ParseEndpoint(endpoint);
  if (!where.ok()) return where.error();
  return std::make_shared<Connection>(std::move(*where), options);
}

base::Result<Daemon> Probe(Connection& connection) {
  rpc::Method method = connection.To("Version");
  method.timeout = connection.options().connect_timeout;
  const types_api::Empty nothing;
  const auto version =
      rpc::Call(method, connection.version(), &version_api::Version::Stub::Version, nothing);
  if (!version.ok()) return NoContainerd(version.error());
  return Daemon{version->version()};
}

}  // namespace ebb::containerd
