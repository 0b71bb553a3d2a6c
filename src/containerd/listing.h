// What containerd lists, as plain values: its own words, none of its rules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"

namespace ebb::containerd {

// Those that say who keeps what, and our own; see KeepLabel().
using Labels = std::vector<std::pair<std::string, std::string>>;

struct ImageRecord {
  std::string name;
  std::string target;  // digest
  Labels labels;
};

struct ContentEntry {
  std::string digest;
  base::Bytes size;
  Labels labels;
  std::optional<base::Bytes> disk;  // nullopt: not looked at
};

struct SnapshotEntry {
  enum class Kind { kView, kActive, kCommitted };
  std::string snapshotter;
  std::string key;
  std::string parent;
  Kind kind = Kind::kCommitted;
  std::string created;  // only to be compared: a key may come back with other content
  Labels labels;
  std::optional<base::Bytes> usage;  // nullopt: not asked for, or no answer
};

struct ContainerEntry {
  std::string id;
  std::string snapshotter;
  std::string key;
  Labels labels;
};

struct LeaseEntry {
  struct Resource {
    std::string type;
    std::string id;
  };
  std::string id;
  Labels labels;
  std::vector<Resource> resources;
  base::TimePoint created = base::kNever;
};

struct IngestEntry {
  std::string ref;
  std::string expected;  // digest; empty where the writer did not say
};

// One namespace.
struct Space {
  std::string name;
  std::vector<ImageRecord> records;
  std::vector<ContentEntry> content;
  std::vector<SnapshotEntry> snapshots;
  std::vector<ContainerEntry> containers;
  std::vector<LeaseEntry> leases;
  std::vector<IngestEntry> ingests;
};

struct Listing {
  std::vector<Space> spaces;
  base::Bytes block{4096};  // what a blob that was not looked at is rounded up to
  // By snapshotter, of those that keep layers as plain folders: what each layer takes beside its
  // content. Layers of any other snapshotter are counted as held.
  std::map<std::string, base::Bytes> folders;
  // Sentences about what could not be listed or measured.
  std::vector<std::string> doubts;
};

}  // namespace ebb::containerd
