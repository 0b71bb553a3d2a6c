// What is known of one Kubernetes object: who it is, who owns it, what keeps it.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::graph {

// The finalizers of the garbage collector itself: dependents are to be let go first, or to be
// deleted first.
inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

// One object, as whoever refers to it has it. A UID alone says which; the rest says whether the
// reference is right.
struct Coordinates {
  std::string api_version;  // "v1", "apps/v1"
  std::string kind;
  std::string ns;  // empty: cluster-scoped, or not known
  std::string name;
  std::string uid;

  auto operator<=>(const Coordinates&) const = default;
};

// For people: "Pod ns1/web", "Node worker-1".
std::string NameOf(const Coordinates& id);

// metadata.ownerReferences[]: always in the namespace of its object, or cluster-scoped.
struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  std::optional<bool> block;  // blockOwnerDeletion; absent counts as false
  bool controller = false;

  bool blocks() const { return block.value_or(false); }
  // Whom it names, seen from an object of that namespace.
  Coordinates In(std::string_view ns) const;
  bool operator==(const OwnerReference&) const = default;
};

struct Object {
  Coordinates id;
  std::vector<OwnerReference> owners;
  std::vector<std::string> finalizers;
  std::string resource_version;
  bool deleting = false;  // it has a deletionTimestamp

  bool Has(std::string_view finalizer) const;
  // Those of somebody else: whoever set them takes them away, or nobody.
  std::vector<std::string> ForeignFinalizers() const;
  bool IsForeground() const { return deleting && Has(kForegroundFinalizer); }
};

}  // namespace ebb::graph
