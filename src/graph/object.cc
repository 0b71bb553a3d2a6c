#include "graph/object.h"

#include <algorithm>
#include <iterator>

namespace ebb::graph {

std::string NameOf(const Coordinates& id) {
  return id.kind + " " + (id.ns.empty() ? "" : id.ns + "/") + id.name;
}

Coordinates OwnerReference::In(std::string_view ns) const {
  return {
      .api_version = api_version, .kind = kind, .ns = std::string(ns), .name = name, .uid = uid};
}

std::vector<std::string> Object::ForeignFinalizers() const {
  std::vector<std::string> foreign;
  std::ranges::copy_if(finalizers, std::back_inserter(foreign), [](const std::string& finalizer) {
    return finalizer != kOrphanFinalizer && finalizer != kForegroundFinalizer;
  });
  return foreign;
}

bool Object::Has(std::string_view finalizer) const {
  return std::ranges::find(finalizers, finalizer) != finalizers.end();
}

}  // namespace ebb::graph
