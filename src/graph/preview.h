// What deleting objects takes along: the model server and the collector's own decisions, run
// until nothing changes any more.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/server.h"
#include "graph/world.h"

namespace ebb::graph {

enum class Fate {
  kDeleted,    // it is gone in the end
  kGarbage,    // it goes even if nothing is deleted: its owners are absent today
  kReleased,   // it stays and loses references
  kUntouched,  // it stays as it is
  kStuck,      // it stays in deletion
  kUndecided,  // it stays: one of its owners is of a kind that is not served, so it is tried for
               // ever
  kNever,      // it stays: cluster-scoped, with an owner of a namespaced kind
};

// "deleted", "garbage", ...
std::string_view Code(Fate fate);

struct Outcome {
  Object object;  // as it is now, before anything is deleted
  Fate fate = Fate::kUntouched;
  std::size_t wave = 0;                 // kDeleted: in which step, from 1
  bool blocks = false;                  // kDeleted: one of its owners waits for it
  std::vector<Coordinates> owners;      // of those that are affected too, by whom it is reached
  std::vector<Coordinates> kept_by;     // owners that are left
  std::vector<std::string> finalizers;  // kStuck: of others, that keep it
  std::vector<Coordinates> waits_for;   // kStuck: dependents that block it, or what is left in it
};

// The targets first, then whatever depends on them by however many steps, owners before dependents.
// Requires that the targets are there and that the world has no duplicates. A namespace and a
// CustomResourceDefinition take what is in them along and go after it. Pods go at once, as if their
// node had stopped them.
std::vector<Outcome> PreviewDelete(const World& world, const std::vector<Graph::Id>& targets,
                                   std::optional<Policy> policy);

}  // namespace ebb::graph
