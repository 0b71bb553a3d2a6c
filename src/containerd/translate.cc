#include "containerd/translate.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "containerd/labels.h"
#include "containerd/space_graph.h"

namespace ebb::containerd {
namespace {

using image::Store;
using image::StoreRoot;
using Indices = std::vector<image::StoreObject::Index>;

// The roots of one namespace, whose objects are in `graph`.
class Roots {
 public:
  Roots(const Space& space, const SpaceGraph& graph, Store& store)
      : space_(space), graph_(graph), store_(store) {}

  void Add(base::TimePoint now) {
    for (const ImageRecord& record : space_.records) AddRecord(record);
    for (const ContainerEntry& container : space_.containers) AddContainer(container);
    for (const LeaseEntry& lease : space_.leases) AddLease(lease, now);
    for (const IngestEntry& ingest : space_.ingests) {
      StoreRoot& root = AddRoot(StoreRoot::Kind::kIngest, ingest.ref);
      root.keeps = graph_.Entry(ingest.expected);
      root.pulls = graph_.WithPart(ingest.expected);
    }
  }

 private:
  StoreRoot& AddRoot(StoreRoot::Kind kind, const std::string& name) {
    StoreRoot root;
    root.kind = kind;
    root.space = space_.name;
    root.name = name;
    return store_.roots.emplace_back(std::move(root));
  }

  void AddRecord(const ImageRecord& record) {
    StoreRoot& root = AddRoot(StoreRoot::Kind::kRecord, record.name);
    root.removable = space_.name == kRemovableSpace;
    root.keeps = graph_.Entry(record.target);
    const GcLabels labels = ReadGcLabels(record.labels);
    graph_.AppendKept(labels, root.keeps);
    // From 2.0 such a record goes by itself; until it does it is one like any other.
    if (labels.expires) AddUnknown(store_, "an image record has an expiry (" + record.name + ")");
    for (const std::string_view kind : labels.unknown) AddUnknownLabel(store_, kind);
  }

  void AddContainer(const ContainerEntry& container) {
    StoreRoot& root = AddRoot(StoreRoot::Kind::kContainer, container.id);
    root.keeps = graph_.Snapshot(container.snapshotter, container.key);
    const GcLabels labels = ReadGcLabels(container.labels);
    graph_.AppendKept(labels, root.keeps);
    for (const std::string_view kind : labels.unknown) AddUnknownLabel(store_, kind);
  }

  void AddLease(const LeaseEntry& lease, base::TimePoint now) {
    const GcLabels labels = ReadGcLabels(lease.labels);
    if (labels.expires && now > *labels.expires) return;
    StoreRoot& root = AddRoot(StoreRoot::Kind::kLease, lease.id);
    root.until = labels.expires.value_or(base::kNever);
    root.leftover = HasLabel(lease, kHoldLabel);
    for (const auto& resource : lease.resources) {
      const Indices kept = Leased(resource, labels.flat);
      root.keeps.insert(root.keeps.end(), kept.begin(), kept.end());
    }
    const bool ours = root.leftover || HasLabel(lease, kGuardLabel);
    if (!ours && now - lease.created < kLongestPull) root.pulls = Pulled(lease);
    for (const std::string_view kind : labels.unknown) AddUnknownLabel(store_, kind);
  }

  static bool HasLabel(const LeaseEntry& lease, std::string_view key) {
    return std::ranges::any_of(lease.labels, [&](const auto& label) { return label.first == key; });
  }

  // A lease on an image keeps its record from expiring, and nothing once the record is deleted.
  Indices Leased(const LeaseEntry::Resource& resource, bool flat) const {
    constexpr std::string_view kSnapshots = "snapshots/";
    const std::string_view type = resource.type;
    if (type == "content") return flat ? graph_.Blob(resource.id) : graph_.Entry(resource.id);
    if (type == "ingests") {
      const auto ingest = std::ranges::find(space_.ingests, resource.id, &IngestEntry::ref);
      return ingest == space_.ingests.end() ? Indices{} : graph_.Entry(ingest->expected);
    }
    if (!type.starts_with(kSnapshots)) return {};
    const Indices snapshot = graph_.Snapshot(type.substr(kSnapshots.size()), resource.id);
    if (flat && graph_.ChainKeepsMore(snapshot)) {
      AddUnknown(store_, "a flat lease holds snapshots that keep others by labels");
    }
    return snapshot;
  }

  // A pull's lease names all it fetches, and what of it was there already. Layers are left out:
  // other images have them too.
  Indices Pulled(const LeaseEntry& lease) const {
    Indices entries;
    for (const auto& resource : lease.resources) {
      if (resource.type != "content") continue;
      const Indices entry = graph_.Entry(resource.id);
      entries.insert(entries.end(), entry.begin(), entry.end());
    }
    return graph_.WithParts(entries);
  }

  // The lease of a client that died in a pull stays for a day; that pull is over.
  static constexpr base::Duration kLongestPull = std::chrono::hours(1);
  static constexpr std::string_view kRemovableSpace = "k8s.io";

  const Space& space_;
  const SpaceGraph& graph_;
  Store& store_;
};

std::size_t CountObjects(const Listing& listing) {
  std::size_t count = 0;
  for (const Space& space : listing.spaces) {
    count += 2 * space.content.size() + space.snapshots.size();
  }
  return count;
}

}  // namespace

Store Translate(const Listing& listing, base::TimePoint now) {
  Store store;
  store.objects.reserve(CountObjects(listing));
  store.unknown = listing.doubts;
  Blobs blobs(listing.block, store);
  for (const Space& space : listing.spaces) {
    SpaceGraph graph(space, blobs, store);
    graph.AddObjects(listing.folders);
    graph.AddEdges();
    Roots(space, graph, store).Add(now);
  }
  return store;
}

}  // namespace ebb::containerd
