#include "image/surplus.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace ebb::image {
namespace {

class Counter {
 public:
  Counter(std::span<const Container> containers, std::span<const Countable> countable)
      : containers_(containers), left_(countable.size()) {
    for (const Countable& one : countable) groups_[one.group].push_back(one.container);
    for (auto& [name, group] : groups_) SortNewestFirst(group);
  }

  void LimitEach(std::size_t most) {
    for (auto& [name, group] : groups_) Cut(group, most);
  }

  void LimitAll(std::size_t most) {
    if (left_ <= most) return;
    LimitEach(std::max<std::size_t>(1, most / groups_.size()));
    if (left_ <= most) return;
    std::vector<std::size_t> all;
    all.reserve(left_);
    for (const auto& [name, group] : groups_) all.insert(all.end(), group.begin(), group.end());
    SortNewestFirst(all);
    Cut(all, most);
  }

  std::set<std::size_t> Surplus() && { return std::move(surplus_); }

 private:
  void SortNewestFirst(std::vector<std::size_t>& group) const {
    std::ranges::sort(group, std::ranges::greater(), [&](std::size_t i) {
      return std::tie(containers_[i].created_at, containers_[i].id);
    });
  }

  void Cut(std::vector<std::size_t>& group, std::size_t most) {
    while (group.size() > most) {
      surplus_.insert(group.back());
      group.pop_back();
      --left_;
    }
  }

  std::span<const Container> containers_;
  std::map<std::string, std::vector<std::size_t>> groups_;
  std::set<std::size_t> surplus_;
  std::size_t left_;
};

}  // namespace

std::set<std::size_t> FindSurplus(std::span<const Container> containers,
                                  std::span<const Countable> countable, const DeadPolicy& policy) {
  Counter counter(containers, countable);
  if (policy.max_per_container) counter.LimitEach(*policy.max_per_container);
  if (policy.max_in_all) counter.LimitAll(*policy.max_in_all);
  return std::move(counter).Surplus();
}

}  // namespace ebb::image
