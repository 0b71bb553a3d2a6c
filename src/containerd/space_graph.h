// The objects of one namespace and what they keep. For translate.cc.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "containerd/labels.h"
#include "containerd/listing.h"
#include "image/store.h"

namespace ebb::containerd {

// Notes, once, why something is counted as held that containerd might not hold.
void AddUnknown(image::Store& store, const std::string& what);
void AddUnknownLabel(image::Store& store, std::string_view kind);

// Files of the content store: one for all namespaces that list its digest.
class Blobs {
 public:
  using Index = image::StoreObject::Index;

  Blobs(base::Bytes block, image::Store& store) : block_(block), store_(store) {}
  Index Add(const ContentEntry& entry);

 private:
  base::Bytes block_;
  image::Store& store_;
  std::unordered_map<std::string_view, Index> by_digest_;
};

class SpaceGraph {
 public:
  using Index = image::StoreObject::Index;
  using Indices = std::vector<Index>;

  // All three must outlive this.
  SpaceGraph(const Space& space, Blobs& blobs, image::Store& store)
      : space_(space), blobs_(blobs), store_(store) {}

  // `folders` as in Listing.
  void AddObjects(const std::map<std::string, base::Bytes>& folders);
  // What objects keep, and roots for those that their labels keep.
  void AddEdges();

  // The object, or nothing if it is not there.
  Indices Entry(std::string_view digest) const;
  Indices Blob(std::string_view digest) const;
  Indices Snapshot(std::string_view snapshotter, std::string_view key) const;
  void AppendKept(const GcLabels& labels, Indices& kept) const;
  // Those of `entries` that keep more than their own blob: indexes, manifests, configurations.
  Indices WithParts(const Indices& entries) const;
  // Entries of which the blob of this digest, there or not, is a part.
  Indices WithPart(std::string_view digest) const;
  // Whether one of these snapshots or one below it keeps anything but its parent.
  bool ChainKeepsMore(const Indices& snapshots) const;

 private:
  void AddSnapshot(const SnapshotEntry& entry, const std::map<std::string, base::Bytes>& folders);
  void AddKept(Index object, const Labels& labels);
  void AddRoot(image::StoreRoot::Kind kind, Index object);

  const Space& space_;
  Blobs& blobs_;
  image::Store& store_;
  std::unordered_map<std::string_view, Index> entries_;
  std::unordered_map<std::string, Index> snapshots_;  // by "snapshotter/key"
  std::unordered_set<Index> keeping_more_;            // objects whose labels keep something
};

}  // namespace ebb::containerd
