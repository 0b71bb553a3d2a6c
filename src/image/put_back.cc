#include "image/put_back.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace ebb::image {
namespace {

Removals Return(Tally tally, const Task& task, std::span<const std::size_t> taken,
                std::span<const std::size_t> first_back) {
  std::vector<bool> stays(task.store.image_count());
  for (const std::size_t image : first_back) {
    if (tally.total().bytes - tally.Loss(image).bytes < task.need) continue;
    tally.PutBack(image);
    stays[image] = true;
  }
  Removals needed{.cost = tally.total().cost};
  needed.images.reserve(taken.size());
  std::ranges::copy_if(taken, std::back_inserter(needed.images),
                       [&](std::size_t image) { return !stays[image]; });
  return needed;
}

// What the image alone costs per byte; without bytes, more than any other.
double Dear(const Tally::Worth& worth) {
  if (worth.bytes.count <= 0) return std::numeric_limits<double>::infinity();
  return worth.cost / static_cast<double>(worth.bytes.count);
}

}  // namespace

Tally Start(const Task& task) {
  Tally tally(task.store, task.costs);
  for (const std::size_t image : task.gone) tally.Add(image);
  tally.ForgetCost();
  return tally;
}

Removals PutBackDearest(const Task& task, std::span<const std::size_t> taken) {
  Tally tally = Start(task);
  for (const std::size_t image : taken) tally.Add(image);
  std::vector<std::pair<double, std::size_t>> dear;
  dear.reserve(taken.size());
  for (const std::size_t image : taken) dear.emplace_back(tally.Loss(image).cost, image);
  std::vector<std::size_t> order(dear.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-dear[i].first, i); });
  std::vector<std::size_t> first_back;
  first_back.reserve(dear.size());
  for (const std::size_t i : order) first_back.push_back(dear[i].second);
  return Return(std::move(tally), task, taken, first_back);
}

Removals TakeInOrder(const Task& task) {
  Tally tally = Start(task);
  std::vector<std::size_t> taken;
  for (const std::size_t image : task.candidates) {
    if (tally.total().bytes >= task.need) break;
    tally.Add(image);
    taken.push_back(image);
  }
  if (tally.total().bytes < task.need) return {};
  const std::vector<std::size_t> last_first(taken.rbegin(), taken.rend());
  return Return(std::move(tally), task, taken, last_first);
}

Removals TakeSingly(const Task& task) {
  Tally tally = Start(task);
  std::vector<std::size_t> left(task.candidates.begin(), task.candidates.end());
  std::vector<std::size_t> taken;
  while (tally.total().bytes < task.need && !left.empty()) {
    const auto best = std::ranges::min_element(
        left, {}, [&](std::size_t image) { return Dear(tally.Marginal(image)); });
    tally.Add(*best);
    taken.push_back(*best);
    left.erase(best);
  }
  if (tally.total().bytes < task.need) return {};
  return PutBackDearest(task, taken);
}

}  // namespace ebb::image
