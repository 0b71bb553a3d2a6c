// The connection behind containerd/connect.h: a channel and its stubs. For the .cc files of this
// folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "containerd/connect.h"
#include "containers.grpc.pb.h"
#include "content.grpc.pb.h"
#include "events.grpc.pb.h"
#include "images.grpc.pb.h"
#include "introspection.grpc.pb.h"
#include "leases.grpc.pb.h"
#include "namespaces.grpc.pb.h"
#include "rpc/call.h"
#include "rpc/endpoint.h"
#include "snapshots.grpc.pb.h"
#include "version.grpc.pb.h"

namespace ebb::containerd {

namespace containers_api = ::containerd::services::containers::v1;
namespace content_api = ::containerd::services::content::v1;
namespace events_api = ::containerd::services::events::v1;
namespace images_api = ::containerd::services::images::v1;
namespace introspection_api = ::containerd::services::introspection::v1;
namespace leases_api = ::containerd::services::leases::v1;
namespace namespaces_api = ::containerd::services::namespaces::v1;
namespace snapshots_api = ::containerd::services::snapshots::v1;
namespace version_api = ::containerd::services::version::v1;
namespace types_api = ::containerd::types;

// The namespace whose images CRI lists.
inline constexpr const char* kCriSpace = "k8s.io";

template <class Service>
using Stub = std::unique_ptr<typename Service::Stub>;

class Connection {
 public:
  Connection(rpc::Endpoint endpoint, const Options& options);

  // A call about the namespace `space`; empty: about none.
  rpc::Method To(std::string_view name, const std::string& space = {}) const;

  const Options& options() const { return options_; }
  introspection_api::Introspection::Stub& introspection() const { return *introspection_; }
  version_api::Version::Stub& version() const { return *version_; }
  namespaces_api::Namespaces::Stub& namespaces() const { return *namespaces_; }
  images_api::Images::Stub& images() const { return *images_; }
  content_api::Content::Stub& content() const { return *content_; }
  snapshots_api::Snapshots::Stub& snapshots() const { return *snapshots_; }
  containers_api::Containers::Stub& containers() const { return *containers_; }
  leases_api::Leases::Stub& leases() const { return *leases_; }
  events_api::Events::Stub& events() const { return *events_; }

 private:
  rpc::Endpoint endpoint_;
  Options options_;
  Stub<introspection_api::Introspection> introspection_;
  Stub<version_api::Version> version_;
  Stub<namespaces_api::Namespaces> namespaces_;
  Stub<images_api::Images> images_;
  Stub<content_api::Content> content_;
  Stub<snapshots_api::Snapshots> snapshots_;
  Stub<containers_api::Containers> containers_;
  Stub<leases_api::Leases> leases_;
  Stub<events_api::Events> events_;
};

}  // namespace ebb::containerd
