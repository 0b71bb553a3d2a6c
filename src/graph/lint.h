// What is wrong with owner references and finalizers, before it hurts. Pure.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "graph/world.h"

namespace ebb::graph {

enum class Fault {
  kDuplicateUid,     // two objects of one UID: nothing can be said about either
  kMalformed,        // an apiVersion that cannot be one: tried for ever, never collected
  kNotServed,        // no such kind in that version: the same
  kUnknownKind,      // no such kind was read, and not everything was: nothing can be said
  kWrongVersion,     // the same, but another version of that kind is served
  kWrongReference,   // the UID is somebody else's kind or name: counts as absent
  kOtherNamespace,   // the owner is in another namespace: counts as absent
  kNamespacedOwner,  // cluster-scoped, owned by something namespaced: never collected
  kStaleUid,         // the owner was made anew: counts as absent
  kDangling,         // there is no such owner
  kTwoControllers,   // a server would not accept that
  kCircle,           // objects that own each other, and nobody else does: never collected
  kHeld,             // in deletion, and a finalizer of somebody else's keeps it
};

inline constexpr std::array kFaults = {
    Fault::kDuplicateUid, Fault::kMalformed,      Fault::kNotServed,      Fault::kUnknownKind,
    Fault::kWrongVersion, Fault::kWrongReference, Fault::kOtherNamespace, Fault::kNamespacedOwner,
    Fault::kStaleUid,     Fault::kDangling,       Fault::kTwoControllers, Fault::kCircle,
    Fault::kHeld};

enum class Severity { kWarning, kError };

struct Finding {
  Fault fault = Fault::kDangling;
  Coordinates object;
  OwnerReference reference = {};  // the one that is wrong; empty if none is
  bool deleted = false;           // what becomes of the object: no owner keeps it
  std::string detail = {};  // whom the UID really is, which version is served, which finalizer
  std::string remedy = {};
};

// "duplicate-uid", "dangling", ...
std::string_view Code(Fault fault);
// What follows from it, in one sentence.
std::string_view Consequence(Fault fault);
// An error is what deletes an object now or keeps one for ever.
Severity SeverityOf(const Finding& finding);

// By namespace, kind and name.
std::vector<Finding> Lint(const World& world);

}  // namespace ebb::graph
