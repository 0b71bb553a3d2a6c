// Bytes to the last one: from what the storage holds to what removing an image frees.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "image/image.h"
#include "image/store.h"
#include "image/store_graph.h"

namespace ebb::image {

// What one image stands for on disk.
struct ImageBytes {
  base::Bytes held;       // all its records reach, whoever else holds it too
  base::Bytes exclusive;  // of these, what goes if this image alone goes
  base::Bytes shared() const { return held - exclusive; }
};

struct ExactGraph {
  // Freed(S) is what no root reaches any more once every record of the images S is gone. kExact if
  // the store has nothing unknown and all that images hold is measured, else kLayers: then bytes
  // that nobody could measure count as 0, and a removal frees at least what is predicted.
  StoreGraph graph;
  std::vector<ImageBytes> bytes;  // per image
};

// Per root: the image whose removal takes it away; nullopt for what stays whatever is removed.
// A removable record belongs to the image whose ID it is named by, else to the one that lists its
// name, else to the one whose configuration it reaches. If that leaves several, it belongs to none:
// what it keeps is then never predicted to come free.
std::vector<std::optional<std::size_t>> AssignRecords(const Store& store,
                                                      const std::vector<Image>& images);

// A piece is what the same images hold, and nobody else. An image's pieces run from those that most
// images share to its own. Requires image IDs to be distinct.
ExactGraph MakeExactGraph(const Store& store, const std::vector<Image>& images);

// Who keeps an object alive, as indices of Store::roots.
class Holders {
 public:
  explicit Holders(const Store& store);
  // Every root from which `object` can be reached, in the order of the roots.
  std::vector<std::size_t> Of(StoreObject::Index object) const;

 private:
  std::vector<std::vector<StoreObject::Index>> keepers_;  // per object: what keeps it directly
  std::vector<std::vector<std::size_t>> roots_;           // per object: roots that keep it directly
};

}  // namespace ebb::image
