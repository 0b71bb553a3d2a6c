// Owners that were proved to be absent, so that each is asked for once and not by every dependent.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <vector>

#include "graph/object.h"

namespace ebb::graph {

// The least recently used go first, as in kube-controller-manager, which keeps 500 (v1.36).
class AbsentOwners {
 public:
  explicit AbsentOwners(std::size_t most = 500) : most_(most) {}

  void Add(const Coordinates& owner);
  // Asking keeps it.
  bool Has(const Coordinates& owner);
  std::vector<Coordinates> All() const;  // sorted

 private:
  std::size_t most_;
  std::list<Coordinates> newest_first_;
  std::map<Coordinates, std::list<Coordinates>::iterator> known_;
};

}  // namespace ebb::graph
