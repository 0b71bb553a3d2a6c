// What a runtime's storage holds, who keeps it, and the mark that tells what stays.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"

namespace ebb::image {

// One thing on disk, or an entry that only keeps others. Names are unique within a kind.
struct StoreObject {
  enum class Kind {
    kBlob,      // file of the content store: named by digest, one for all namespaces
    kSnapshot,  // unpacked layer: "namespace/snapshotter/key"
    kEntry,     // a namespace's entry of a blob, "namespace/digest": no bytes of its own
  };
  using Index = std::uint32_t;

  Kind kind = Kind::kBlob;
  std::string name;
  base::Bytes disk;          // blocks it takes on disk; what goes when it goes
  base::Bytes download;      // blobs: bytes that have to be pulled to have it again
  bool measured = true;      // false: `disk` is not known and counts as 0
  bool writable = false;     // a container's own layer; its size is not part of any image
  std::vector<Index> keeps;  // while this is alive, so are these; indices that may form cycles
};

// What keeps objects alive from outside.
struct StoreRoot {
  enum class Kind {
    kRecord,     // an image record: a name and what it stands for
    kContainer,  // its snapshot
    kLease,
    kLabel,   // a label that says "never collect"
    kIngest,  // a pull in progress
    kOther,   // a rule this model does not know: held, whatever it means
  };
  Kind kind = Kind::kRecord;
  std::string space;  // containerd's namespace
  std::string name;   // of the record, container or lease; else of the object
  std::vector<StoreObject::Index> keeps;
  // Entries of images that this one, a lease or an ingest, shows to be pulled right now.
  std::vector<StoreObject::Index> pulls;
  bool removable = false;                // a record that RemoveImage of its image takes away
  base::TimePoint until = base::kNever;  // leases: when it ends; kNever: it does not
  bool leftover = false;                 // a lease of ours that a crash left
};

struct Store {
  std::vector<StoreObject> objects;
  std::vector<StoreRoot> roots;
  // What this model does not know and therefore counts as held; empty: accounting is exact.
  std::vector<std::string> unknown;
};

// alive[o] says whether object o can be reached from one of `roots`, given as indices.
std::vector<bool> Mark(const Store& store, std::span<const std::size_t> roots);

// What no root keeps: it goes with the runtime's next collection, whenever that is.
base::Bytes Garbage(const Store& store);

}  // namespace ebb::image
