// What the graph is told, and what it has to say.
#pragma once

#include <string>

#include "graph/object.h"

namespace ebb::graph {

struct Event {
  enum class Type {
    kChanged,  // added or updated: the two are told apart by whether it is known
    kDeleted,
    kProvedAbsent,  // nobody saw it go, but the server says that there is none: of object.id alone
  };
  Type type = Type::kChanged;
  Object object;
};

// A reference to an owner in another namespace, which counts as absent: kube-controller-manager
// emits the warning OwnerRefInvalidNamespace on the dependent.
struct ForeignNamespace {
  Coordinates dependent;
  OwnerReference owner;
  bool operator==(const ForeignNamespace&) const = default;
};

// As upstream words it.
std::string MessageOf(const ForeignNamespace& warning);

}  // namespace ebb::graph
