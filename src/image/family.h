// The planner: which unused images to remove so that enough comes free at the least cost.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "image/forest.h"

namespace ebb::image {

// Removals that stand on the same layers and go together, base and all.
struct Family {
  std::vector<std::size_t> images;  // in the order of the task's candidates
  base::Bytes frees;                // what goes if these go and no other family does
  double cost = 0;
  // The image that is nothing but what all of them share, if there is one.
  std::optional<std::size_t> base;
};

// What the family is built on, for people: "alone", its base, its one repository, or how many.
std::string FamilyLabel(const std::vector<Image>& images, const Family& family);

struct Choice {
  std::vector<std::size_t> removals;  // family after family
  std::vector<Family> families;       // the cheapest per byte first
  double cost = 0;                    // of the removals, in the units of Task::costs
  double bound = 0;                   // nothing that meets the need costs less

  // The proof: cost <= (1 + *Within()) times the least possible cost. nullopt: nothing is proved.
  std::optional<double> Within() const;
};

// Empty if all candidates together do not free the need. No removal is superfluous: keeping any one
// of them would miss the need. The same task in another order of candidates is another task only
// where candidates cost and free exactly the same.
Choice ChooseFamilies(const Task& task);

}  // namespace ebb::image
