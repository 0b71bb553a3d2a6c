#include "graph/absent_owners.h"

namespace ebb::graph {

void AbsentOwners::Add(const Coordinates& owner) {
  if (Has(owner)) return;
  newest_first_.push_front(owner);
  known_.emplace(owner, newest_first_.begin());
  if (known_.size() <= most_) return;
  known_.erase(newest_first_.back());
  newest_first_.pop_back();
}

bool AbsentOwners::Has(const Coordinates& owner) {
  const auto known = known_.find(owner);
  if (known == known_.end()) return false;
  newest_first_.splice(newest_first_.begin(), newest_first_, known->second);
  return true;
}

std::vector<Coordinates> AbsentOwners::All() const {
  std::vector<Coordinates> all;
  all.reserve(known_.size());
  for (const auto& [owner, at] : known_) all.push_back(owner);
  return all;
}

}  // namespace ebb::graph
