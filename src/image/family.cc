#include "image/family.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "image/bound.h"
#include "image/greedy.h"
#include "image/put_back.h"

namespace ebb::image {
namespace {

// Up to here the simpler planners run too: on few images luck beats method now and then.
constexpr std::size_t kFew = 64;

base::Bytes Missing(const Task& task, std::span<const std::size_t> removals) {
  Tally tally = Start(task);
  for (const std::size_t image : removals) tally.Add(image);
  return task.need - tally.total().bytes;
}

// Enough by true bytes, superfluous ones among them. Where pieces do not nest the forest's bytes
// are not the truth: then more is asked of it, and in the end everything.
Greedy EnoughFamilies(const Task& task, const Forest& forest, double need) {
  constexpr int kRounds = 8;
  Greedy greedy = TakeFamilies(forest, need);
  if (forest.shares().empty()) return greedy;
  const double ratio = greedy.ratio;
  double asked = need;
  for (int round = 0; round < kRounds && !greedy.images.empty(); ++round) {
    const base::Bytes missing = Missing(task, greedy.images);
    if (missing.count <= 0) return {std::move(greedy.images), ratio};
    asked += static_cast<double>(missing.count);
    greedy = TakeFamilies(forest, asked);
  }
  if (Missing(task, forest.images()).count > 0) return {};
  return {forest.images(), ratio};
}

// Removals by the topmost families that go whole, the cheapest per byte first.
class Naming {
 public:
  Naming(const Task& task, const Forest& forest, std::span<const std::size_t> removals)
      : task_(task), forest_(forest), place_(task.store.image_count()), goes_(place_.size()) {
    for (std::size_t c = 0; c < task.candidates.size(); ++c) place_[task.candidates[c]] = c;
    for (const std::size_t image : removals) goes_[image] = true;
  }

  std::vector<Family> Families() {
    const auto& nodes = forest_.nodes();
    Forest::Index named = 0;  // images before this one have been dealt with
    for (Forest::Index n = 1; n < nodes.size(); ++n) {
      if (nodes[n].first_image < named || !GoesWhole(nodes[n])) continue;
      Add(n);
      named = nodes[n].end_image;
    }
    AddStrays();
    std::ranges::sort(families_, {}, [&](const Family& family) {
      return std::pair(Ratio(family), place_[family.images.front()]);
    });
    return std::move(families_);
  }

 private:
  bool GoesWhole(const Forest::Node& node) const {
    for (auto i = node.first_image; i < node.end_image; ++i) {
      if (!goes_[forest_.images()[i]]) return false;
    }
    return true;
  }

  void Add(Forest::Index n) {
    const Forest::Node& node = forest_.nodes()[n];
    Family family{.frees = {static_cast<std::int64_t>(node.bytes)}, .cost = node.cost};
    family.images.assign(forest_.images().begin() + node.first_image,
                         forest_.images().begin() + node.end_image);
    const bool leaf = n + 1 == node.end;
    if (leaf || forest_.nodes()[n + 1].first_image > node.first_image) {
      family.base = family.images.front();
    }
    std::ranges::sort(family.images, {}, [&](std::size_t image) { return place_[image]; });
    for (const std::size_t image : family.images) goes_[image] = false;
    families_.push_back(std::move(family));
  }

  // Without nesting a set may free what no family in it does, and a node's numbers are a guess.
  void AddStrays() {
    if (forest_.shares().empty()) return;
    for (const std::size_t image : task_.candidates) {
      if (goes_[image]) families_.push_back({.images = {image}});
    }
    Tally tally = Start(task_);
    const Tally::Worth before = tally.total();
    for (Family& family : families_) {
      for (const std::size_t image : family.images) tally.Add(image);
      family.frees = tally.total().bytes - before.bytes;
      family.cost = tally.total().cost - before.cost;
      for (const std::size_t image : family.images) tally.PutBack(image);
    }
  }

  // A family of a set that frees only together has no bytes of its own and goes last.
  static double Ratio(const Family& family) {
    if (family.frees.count <= 0) return std::numeric_limits<double>::infinity();
    return family.cost / static_cast<double>(family.frees.count);
  }

  const Task& task_;
  const Forest& forest_;
  std::vector<std::size_t> place_;  // per image: among the candidates
  std::vector<bool> goes_;          // per image: goes, and is in no family yet
  std::vector<Family> families_;
};

Removals Cheapest(const Task& task, const std::vector<std::size_t>& families) {
  Removals best = PutBackDearest(task, families);
  if (task.candidates.size() > kFew) return best;
  for (const Removals& other : {TakeSingly(task), TakeInOrder(task)}) {
    if (!other.images.empty() && other.cost < best.cost) best = other;
  }
  return best;
}

}  // namespace

std::optional<double> Choice::Within() const {
  if (cost <= 0) return 0;
  if (bound <= 0) return std::nullopt;
  return std::max(0.0, cost / bound - 1);
}

Choice ChooseFamilies(const Task& task) {
  const Forest forest(task);
  const double need = static_cast<double>((task.need - Start(task).total().bytes).count);
  if (need <= 0) return {};
  const Greedy greedy = EnoughFamilies(task, forest, need);
  if (greedy.images.empty()) return {};
  const Removals removals = Cheapest(task, greedy.images);
  Choice choice{.families = Naming(task, forest, removals.images).Families(),
                .cost = removals.cost,
                .bound = LowerBound(forest, need, greedy.ratio)};
  choice.removals.reserve(removals.images.size());
  for (const Family& family : choice.families) {
    choice.removals.insert(choice.removals.end(), family.images.begin(), family.images.end());
  }
  return choice;
}

}  // namespace ebb::image
