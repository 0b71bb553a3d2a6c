// What deleting objects takes along: as a tree, a table, a document or a drawing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/preview.h"
#include "report/style.h"

namespace ebb::report {

struct Deletion {
  std::vector<graph::Outcome> outcomes;  // the targets first
  std::size_t targets = 1;
  std::optional<graph::Policy> policy;
  bool partial = false;  // of kinds that nothing was read of nothing is known
};

// kTree, kTable, kName (what goes, as KIND/NAME), kJson, kYaml, kDot or kMermaid.
std::string RenderDeletion(const Deletion& deletion, const Style& style);

// "deleted in step 2, blocks its owner", "kept by Job shop/x": what becomes of one object.
std::string FateOf(const Deletion& deletion, const graph::Outcome& outcome);
// Yes: it is gone in the end, by this deletion or without it.
bool Goes(const graph::Outcome& outcome);

// An object and the affected objects it is shown above. Every object stands in one place only.
struct Branch {
  std::size_t outcome = 0;
  std::vector<std::size_t> children;  // places in the forest
};
struct Forest {
  std::vector<Branch> branches;    // one per outcome, in the same order
  std::vector<std::size_t> roots;  // of these
};
Forest ForestOf(const Deletion& deletion);

std::string DeletionDocument(const Deletion& deletion, Format format);
// Owners point at their dependents.
std::string DeletionDot(const Deletion& deletion);
std::string DeletionMermaid(const Deletion& deletion);

}  // namespace ebb::report
