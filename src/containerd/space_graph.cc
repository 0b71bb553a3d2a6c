#include "containerd/space_graph.h"

#include <algorithm>
#include <utility>

namespace ebb::containerd {
namespace {

using image::StoreObject;
using image::StoreRoot;

base::Bytes RoundUp(base::Bytes size, base::Bytes block) {
  return {(size.count + block.count - 1) / block.count * block.count};
}

StoreObject::Index Append(image::Store& store, StoreObject object) {
  store.objects.push_back(std::move(object));
  return static_cast<StoreObject::Index>(store.objects.size() - 1);
}

std::string Joined(std::string_view a, std::string_view b) {
  return std::string(a).append("/").append(b);
}

}  // namespace

void AddUnknown(image::Store& store, const std::string& what) {
  const std::string sentence = what + ": counted as held";
  if (std::ranges::find(store.unknown, sentence) == store.unknown.end()) {
    store.unknown.push_back(sentence);
  }
}

void AddUnknownLabel(image::Store& store, std::string_view kind) {
  AddUnknown(store, "containerd may keep something by labels \"" + std::string(kind) +
                        "…\", which ebb does not know");
}

Blobs::Index Blobs::Add(const ContentEntry& entry) {
  const auto [found, added] = by_digest_.try_emplace(entry.digest, 0);
  if (added) {
    StoreObject blob;
    blob.kind = StoreObject::Kind::kBlob;
    blob.name = entry.digest;
    blob.disk = entry.disk.value_or(RoundUp(entry.size, block_));
    blob.download = entry.size;
    found->second = Append(store_, std::move(blob));
  }
  return found->second;
}

void SpaceGraph::AddObjects(const std::map<std::string, base::Bytes>& folders) {
  entries_.reserve(space_.content.size());
  for (const ContentEntry& content : space_.content) {
    StoreObject entry;
    entry.kind = StoreObject::Kind::kEntry;
    entry.name = Joined(space_.name, content.digest);
    entry.keeps = {blobs_.Add(content)};
    entries_[content.digest] = Append(store_, std::move(entry));
  }
  snapshots_.reserve(space_.snapshots.size());
  for (const SnapshotEntry& snapshot : space_.snapshots) AddSnapshot(snapshot, folders);
}

void SpaceGraph::AddSnapshot(const SnapshotEntry& entry,
                             const std::map<std::string, base::Bytes>& folders) {
  const auto folder = folders.find(entry.snapshotter);
  const std::string id = Joined(entry.snapshotter, entry.key);
  StoreObject snapshot;
  snapshot.kind = StoreObject::Kind::kSnapshot;
  snapshot.name = Joined(space_.name, id);
  snapshot.writable = entry.kind == SnapshotEntry::Kind::kActive;
  snapshot.measured = entry.usage.has_value() && folder != folders.end();
  if (snapshot.measured) snapshot.disk = *entry.usage + folder->second;
  const StoreObject::Index index = Append(store_, std::move(snapshot));
  snapshots_[id] = index;
  if (folder != folders.end()) return;
  AddRoot(StoreRoot::Kind::kOther, index);
  AddUnknown(store_, "ebb cannot tell what layers of the snapshotter " + entry.snapshotter +
                         " take on disk or who keeps them");
}

void SpaceGraph::AddEdges() {
  for (const ContentEntry& content : space_.content) {
    AddKept(entries_.at(content.digest), content.labels);
  }
  for (const SnapshotEntry& entry : space_.snapshots) {
    const Index index = snapshots_.at(Joined(entry.snapshotter, entry.key));
    store_.objects[index].keeps = Snapshot(entry.snapshotter, entry.parent);
    AddKept(index, entry.labels);
  }
}

void SpaceGraph::AddKept(Index object, const Labels& all) {
  const GcLabels labels = ReadGcLabels(all);
  AppendKept(labels, store_.objects[object].keeps);
  if (!labels.content.empty() || !labels.snapshots.empty()) keeping_more_.insert(object);
  if (labels.root) AddRoot(StoreRoot::Kind::kLabel, object);
  if (labels.unknown.empty()) return;
  AddRoot(StoreRoot::Kind::kOther, object);
  for (const std::string_view kind : labels.unknown) AddUnknownLabel(store_, kind);
}

void SpaceGraph::AddRoot(StoreRoot::Kind kind, Index object) {
  StoreRoot root;
  root.kind = kind;
  root.space = space_.name;
  root.name = store_.objects[object].name;
  root.keeps = {object};
  store_.roots.push_back(std::move(root));
}

SpaceGraph::Indices SpaceGraph::Entry(std::string_view digest) const {
  const auto found = entries_.find(digest);
  return found == entries_.end() ? Indices{} : Indices{found->second};
}

SpaceGraph::Indices SpaceGraph::Blob(std::string_view digest) const {
  const auto found = entries_.find(digest);
  // An entry keeps its blob before anything else.
  return found == entries_.end() ? Indices{} : Indices{store_.objects[found->second].keeps[0]};
}

SpaceGraph::Indices SpaceGraph::Snapshot(std::string_view snapshotter, std::string_view key) const {
  if (key.empty()) return {};
  const auto found = snapshots_.find(Joined(snapshotter, key));
  return found == snapshots_.end() ? Indices{} : Indices{found->second};
}

void SpaceGraph::AppendKept(const GcLabels& labels, Indices& kept) const {
  const auto append = [&kept](const Indices& more) {
    for (const Index index : more) {
      if (std::ranges::find(kept, index) == kept.end()) kept.push_back(index);
    }
  };
  for (const std::string_view digest : labels.content) append(Entry(digest));
  for (const auto& [snapshotter, key] : labels.snapshots) append(Snapshot(snapshotter, key));
}

SpaceGraph::Indices SpaceGraph::WithParts(const Indices& entries) const {
  Indices with;
  std::ranges::copy_if(entries, std::back_inserter(with),
                       [&](Index index) { return keeping_more_.contains(index); });
  return with;
}

SpaceGraph::Indices SpaceGraph::WithPart(std::string_view digest) const {
  Indices with;
  if (digest.empty()) return with;
  for (const ContentEntry& content : space_.content) {
    const GcLabels labels = ReadGcLabels(content.labels);
    const bool part = std::ranges::find(labels.content, digest) != labels.content.end();
    if (part) with.push_back(entries_.at(content.digest));
  }
  return with;
}

bool SpaceGraph::ChainKeepsMore(const Indices& snapshots) const {
  Indices below = snapshots;
  // Counted, for nothing says that parents form no cycle.
  for (std::size_t steps = 0; !below.empty() && steps <= snapshots_.size(); ++steps) {
    if (keeping_more_.contains(below[0])) return true;
    below = store_.objects[below[0]].keeps;
  }
  return false;
}

}  // namespace ebb::containerd
