#include "containerd/lists.h"

#include <utility>

#include "containerd/labels.h"
#include "containerd/timestamp.h"
#include "rpc/pipeline.h"

namespace ebb::containerd {
namespace {

using ListedLabels = google::protobuf::RepeatedPtrField<types_api::Label>;

Labels ToLabels(const ListedLabels& listed) {
  Labels labels;
  for (const auto& label : listed) {
    if (KeepLabel(label.key())) labels.emplace_back(label.key(), label.value());
  }
  return labels;
}

SnapshotEntry ToSnapshot(const std::string& snapshotter, const snapshots_api::Info& info) {
  SnapshotEntry entry{.snapshotter = snapshotter, .key = info.name(), .parent = info.parent()};
  entry.kind = info.kind() == snapshots_api::COMMITTED ? SnapshotEntry::Kind::kCommitted
               : info.kind() == snapshots_api::VIEW    ? SnapshotEntry::Kind::kView
                                                       : SnapshotEntry::Kind::kActive;
  const auto& created = info.created_at();
  entry.created = std::to_string(created.seconds()) + "." + std::to_string(created.nanos());
  entry.labels = ToLabels(info.labels());
  return entry;
}

// Lists of one namespace, each appended to `space`.
class SpaceLister {
 public:
  SpaceLister(const Connection& connection, Space& space)
      : connection_(connection), space_(space) {}

  base::Status Records() {
    const auto listed = rpc::Call(To("Images.List"), connection_.images(),
                                  &images_api::Images::Stub::List, images_api::ListImagesRequest());
    if (!listed.ok()) return listed.error();
    space_.records.reserve(static_cast<std::size_t>(listed->images_size()));
    for (const auto& image : listed->images()) {
      space_.records.push_back({image.name(), image.target().digest(), ToLabels(image.labels())});
    }
    return base::Done{};
  }

  base::Status Content() {
    return rpc::ReadStream(
        To("Content.List"), connection_.content(), &content_api::Content::Stub::List,
        content_api::ListContentRequest(), [this](const content_api::ListContentResponse& piece) {
          for (const auto& info : piece.info()) {
            space_.content.push_back({info.digest(), {info.size()}, ToLabels(info.labels())});
          }
        });
  }

  base::Status Ingests() {
    const auto listed =
        rpc::Call(To("Content.ListStatuses"), connection_.content(),
                  &content_api::Content::Stub::ListStatuses, content_api::ListStatusesRequest());
    if (!listed.ok()) return listed.error();
    space_.ingests.reserve(static_cast<std::size_t>(listed->statuses_size()));
    for (const auto& status : listed->statuses()) {
      space_.ingests.push_back({status.ref(), status.expected()});
    }
    return base::Done{};
  }

  base::Status Snapshots(const std::string& snapshotter) {
    snapshots_api::ListSnapshotsRequest request;
    request.set_snapshotter(snapshotter);
    return rpc::ReadStream(To("Snapshots.List"), connection_.snapshots(),
                           &snapshots_api::Snapshots::Stub::List, request,
                           [&](const snapshots_api::ListSnapshotsResponse& piece) {
                             for (const auto& info : piece.info()) {
                               space_.snapshots.push_back(ToSnapshot(snapshotter, info));
                             }
                           });
  }

  base::Status Containers() {
    return rpc::ReadStream(
        To("Containers.ListStream"), connection_.containers(),
        &containers_api::Containers::Stub::ListStream, containers_api::ListContainersRequest(),
        [this](const containers_api::ListContainerMessage& piece) {
          const auto& one = piece.container();
          space_.containers.push_back(
              {one.id(), one.snapshotter(), one.snapshot_key(), ToLabels(one.labels())});
        });
  }

  base::Status Leases() {
    const auto listed = rpc::Call(To("Leases.List"), connection_.leases(),
                                  &leases_api::Leases::Stub::List, leases_api::ListRequest());
    if (!listed.ok()) return listed.error();
    space_.leases.reserve(static_cast<std::size_t>(listed->leases_size()));
    for (const auto& lease : listed->leases()) {
      space_.leases.push_back(
          {lease.id(), ToLabels(lease.labels()), {}, ToTime(lease.created_at())});
    }
    return Resources();
  }

 private:
  base::Status Resources() {
    const rpc::Batch batch{To("Leases.ListResources"), space_.leases.size(),
                           connection_.options().in_flight};
    return rpc::AskEach(
        batch, connection_.leases(), &leases_api::Leases::Stub::AsyncListResources,
        [this](std::size_t i) {
          leases_api::ListResourcesRequest request;
          request.set_id(space_.leases[i].id);
          return request;
        },
        [&](std::size_t i, const grpc::Status& status,
            const leases_api::ListResourcesResponse& answer) -> base::Status {
          if (status.error_code() == grpc::StatusCode::NOT_FOUND) return base::Done{};
          if (!status.ok()) return rpc::ToError(status, batch.method);
          auto& resources = space_.leases[i].resources;
          resources.reserve(static_cast<std::size_t>(answer.resources_size()));
          for (const auto& one : answer.resources()) resources.push_back({one.type(), one.id()});
          return base::Done{};
        });
  }

  rpc::Method To(std::string_view name) const { return connection_.To(name, space_.name); }

  const Connection& connection_;
  Space& space_;
};

// A list that is not there any more lists nothing.
base::Status UnlessGone(base::Status status) {
  if (!status.ok() && status.error().code == base::ErrorCode::kNotFound) return base::Done{};
  return status;
}

base::Status ListSnapshots(SpaceLister& lister, const Plugins& plugins,
                           std::vector<std::string>& doubts) {
  for (const auto& [snapshotter, root] : plugins.snapshotters) {
    const base::Status listed = UnlessGone(lister.Snapshots(snapshotter));
    if (listed.ok()) continue;
    if (IsPlainSnapshotter(snapshotter)) return listed.error();
    doubts.push_back("the layers of the snapshotter " + snapshotter +
                     " cannot be listed: " + listed.error().message);
  }
  return base::Done{};
}

}  // namespace

bool IsPlainSnapshotter(const std::string& name) {
  return name == "overlayfs" || name == "native";
}

base::Result<Plugins> ListPlugins(const Connection& connection) {
  constexpr std::string_view kSnapshotter = "io.containerd.snapshotter.v1";
  constexpr std::string_view kContent = "io.containerd.content.v1";
  introspection_api::PluginsRequest request;
  for (const std::string_view type : {kSnapshotter, kContent}) {
    request.add_filters(std::string("type==").append(type));
  }
  const auto listed = rpc::Call(connection.To("Introspection.Plugins"), connection.introspection(),
                                &introspection_api::Introspection::Stub::Plugins, request);
  if (!listed.ok()) return listed.error();
  Plugins plugins;
  for (const auto& plugin : listed->plugins()) {
    if (plugin.has_init_err()) continue;
    std::string root;
    for (const auto& exported : plugin.exports()) {
      if (exported.key() == "root") root = exported.value();
    }
    if (plugin.type() == kContent) plugins.content_root = root;
    if (plugin.type() == kSnapshotter) plugins.snapshotters[plugin.id()] = root;
  }
  return plugins;
}

base::Result<std::vector<std::string>> ListSpaces(const Connection& connection) {
  const auto listed =
      rpc::Call(connection.To("Namespaces.List"), connection.namespaces(),
                &namespaces_api::Namespaces::Stub::List, namespaces_api::ListNamespacesRequest());
  if (!listed.ok()) return listed.error();
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(listed->namespaces_size()));
  for (const auto& space : listed->namespaces()) names.push_back(space.name());
  return names;
}

base::Result<std::vector<ContentEntry>> ListContent(const Connection& connection,
                                                    const std::string& name) {
  Space space{.name = name};
  const auto listed = SpaceLister(connection, space).Content();
  if (!listed.ok()) return listed.error();
  return std::move(space.content);
}

// Roots are read before what they keep, for a record is written after its content.
base::Result<Space> ListSpace(const Connection& connection, const std::string& name,
                              const Plugins& plugins, std::vector<std::string>& doubts) {
  Space space{.name = name};
  SpaceLister lister(connection, space);
  for (const auto list : {&SpaceLister::Records, &SpaceLister::Containers, &SpaceLister::Leases,
                          &SpaceLister::Ingests, &SpaceLister::Content}) {
    if (const auto listed = UnlessGone((lister.*list)()); !listed.ok()) return listed.error();
  }
  if (const auto listed = ListSnapshots(lister, plugins, doubts); !listed.ok()) {
    return listed.error();
  }
  return space;
}

}  // namespace ebb::containerd
