#include "graph/decide.h"

#include <algorithm>

namespace ebb::graph {

std::string_view Code(Policy policy) {
  switch (policy) {
    case Policy::kOrphan: return "Orphan";
    case Policy::kBackground: return "Background";
    case Policy::kForeground: return "Foreground";
  }
  return "";
}

Verdict Decide(const Object& object, std::span<const Standing> standings,
               const Dependents& dependents) {
  const auto count = [&](Standing standing) { return std::ranges::count(standings, standing); };
  if (object.owners.empty()) return {};
  if (count(Standing::kSolid) == std::ssize(standings)) return {};
  if (count(Standing::kSolid) > 0) {
    Verdict verdict{.act = Verdict::Act::kDropReferences};
    for (std::size_t i = 0; i < standings.size(); ++i) {
      if (standings[i] == Standing::kSolid) verdict.owners.push_back(object.owners[i]);
    }
    return verdict;
  }
  if (count(Standing::kWaiting) > 0 && dependents.any) {
    return {.act = Verdict::Act::kDelete,
            .policy = Policy::kForeground,
            .unblock = dependents.deleting_theirs && object.ForeignFinalizers().empty()};
  }
  const Policy policy = object.Has(kOrphanFinalizer)       ? Policy::kOrphan
                        : object.Has(kForegroundFinalizer) ? Policy::kForeground
                                                           : Policy::kBackground;
  return {.act = Verdict::Act::kDelete, .policy = policy};
}

}  // namespace ebb::graph
