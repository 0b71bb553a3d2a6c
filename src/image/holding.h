// Who keeps which bytes of a store: what df, layers, leases and explain layer show.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "image/observation.h"

namespace ebb::image {

struct RootBytes {
  base::Bytes held;       // all it reaches, whoever else keeps it too
  base::Bytes exclusive;  // of these, what nothing else keeps
};

// One answer per root of `roots`, given as indices.
std::vector<RootBytes> BytesOfRoots(const Store& store, std::span<const std::size_t> roots);

// Per image: size and exclusive bytes as `ebb df` defines them. Where the store could not be read,
// by the estimated graph.
std::vector<RootBytes> BytesOfImages(const Observation& seen);

// A layer as it stands on others; roots of the forest first, children after their parent.
struct LayerNode {
  StoreObject::Index object = 0;
  std::size_t depth = 0;
  bool last = true;  // of its siblings
};

// Committed snapshots of every namespace, by name among siblings. A parent that is not there, or a
// cycle, makes a root.
std::vector<LayerNode> LayerForest(const Store& store);

// The index of the one object that `reference`, a digest, a key or the beginning of one (six
// characters or more), names. kUsage if there is none or more than one.
base::Result<StoreObject::Index> FindObject(const Store& store, std::string_view reference);

}  // namespace ebb::image
