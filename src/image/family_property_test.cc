// What must hold for every choice of families.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "image/bound.h"
#include "image/family.h"
#include "image/greedy.h"
#include "image/put_back.h"

namespace ebb::image {
namespace {

using Piece = StoreGraph::Piece;
using Images = std::vector<std::size_t>;

// Whole range from the first case on; rapidcheck would begin with the least values only.
template <class Number>
Number AnyOf(Number least, Number end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Number>(least, end));
}

// Costs are whole numbers, so that sums do not depend on their order.
struct Some {
  StoreGraph store;
  Costs costs;
  Images gone;
  Images candidates;
  base::Bytes need;
  Task task() const { return {store, costs, gone, candidates, need}; }
};

// Each image stands on a stretch of an earlier one, or on nothing. Stray pieces do not nest.
std::vector<std::vector<Piece>> AnyHeld(std::size_t images, bool stray, Piece& pieces) {
  std::vector<std::vector<Piece>> held(images);
  for (std::size_t i = 0; i < images; ++i) {
    if (i > 0 && AnyOf(0, 4) > 0) {
      const auto& base = held[AnyOf<std::size_t>(0, i)];
      held[i].assign(base.begin(), base.begin() + AnyOf<long>(0, std::ssize(base) + 1));
    }
    for (int own = AnyOf(0, 3); own > 0; --own) held[i].push_back(pieces++);
    if (!stray || pieces == 0 || AnyOf(0, 3) > 0) continue;
    const auto other = AnyOf<Piece>(0, pieces);
    if (std::ranges::find(held[i], other) == held[i].end()) held[i].push_back(other);
  }
  return held;
}

Some AnyTask(std::size_t most, bool stray) {
  const auto images = AnyOf<std::size_t>(1, most + 1);
  Piece pieces = 0;
  auto held = AnyHeld(images, stray, pieces);
  std::vector<base::Bytes> disk(pieces);
  for (auto& bytes : disk) bytes.count = AnyOf(0, 500);
  Some some;
  some.costs = {Costs{.image = std::vector<double>(images), .piece = std::vector<double>(pieces)}};
  Images all;
  for (std::size_t i = 0; i < images; ++i) {
    some.costs.image[i] = AnyOf(1, 100'000);
    for (const Piece p : held[i]) some.costs.piece[p] += some.costs.image[i] * AnyOf(0, 9);
    const int fate = AnyOf(0, 10);  // 0: protected
    if (fate > 1) some.candidates.push_back(i);
    if (fate == 1) some.gone.push_back(i);
    if (fate > 0) all.push_back(i);
  }
  some.store = StoreGraph(Accounting::kExact, std::move(disk), std::move(held));
  some.need.count = AnyOf<std::int64_t>(0, some.store.Freed(all).count + 2);
  return some;
}

Images Together(const Some& some, const Images& removals) {
  Images all = some.gone;
  all.insert(all.end(), removals.begin(), removals.end());
  return all;
}

bool Meets(const Some& some, const Images& removals) {
  return some.store.Freed(Together(some, removals)) >= some.need;
}

double CostOf(const Some& some, const Images& removals) {
  Tally tally = Start(some.task());
  for (const std::size_t image : removals) tally.Add(image);
  return tally.total().cost;
}

double Optimum(const Some& some) {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t count = some.candidates.size();
  for (std::size_t set = 0; set < std::size_t{1} << count; ++set) {
    Images removals;
    for (std::size_t c = 0; c < count; ++c) {
      if ((set >> c & 1U) != 0) removals.push_back(some.candidates[c]);
    }
    if (Meets(some, removals)) least = std::min(least, CostOf(some, removals));
  }
  return least;
}

void CheckChoice(const Some& some) {
  const Choice choice = ChooseFamilies(some.task());
  if (!Meets(some, some.candidates)) {
    RC_ASSERT(choice.removals.empty());
    return;
  }
  RC_ASSERT(Meets(some, choice.removals));
  const std::set<std::size_t> distinct(choice.removals.begin(), choice.removals.end());
  RC_ASSERT(distinct.size() == choice.removals.size());
  for (const std::size_t image : choice.removals) {
    RC_ASSERT(std::ranges::find(some.candidates, image) != some.candidates.end());
    Images others = choice.removals;
    std::erase(others, image);
    RC_ASSERT(!Meets(some, others));
  }
  Images in_families;
  for (const Family& family : choice.families) {
    in_families.insert(in_families.end(), family.images.begin(), family.images.end());
  }
  RC_ASSERT(in_families == choice.removals);
  RC_ASSERT(choice.cost == CostOf(some, choice.removals));
}

RC_GTEST_PROP(FamilyProperty, MeetsTheNeedWithCandidatesOnlyAndNoneOfThemInVain, ()) {
  CheckChoice(AnyTask(30, *rc::gen::arbitrary<bool>()));
}

RC_GTEST_PROP(FamilyProperty, ManyImagesKeepTheSamePromises, ()) {
  CheckChoice(AnyTask(150, *rc::gen::arbitrary<bool>()));
}

RC_GTEST_PROP(FamilyProperty, TheBoundIsNoMoreThanTheOptimumNorThatThanThePlan, ()) {
  const Some some = AnyTask(12, *rc::gen::arbitrary<bool>());
  RC_PRE(Meets(some, some.candidates));
  const Choice choice = ChooseFamilies(some.task());
  const double optimum = Optimum(some);
  RC_ASSERT(choice.bound <= optimum);
  RC_ASSERT(optimum <= choice.cost);
}

RC_GTEST_PROP(FamilyProperty, TheBoundHoldsWhereverItIsLookedFor, ()) {
  const Some some = AnyTask(9, *rc::gen::arbitrary<bool>());
  RC_PRE(Meets(some, some.candidates));
  const Forest forest(some.task());
  const auto need = some.need - Start(some.task()).total().bytes;
  const double near = AnyOf(1, 1'000'000) / 100.0;
  RC_ASSERT(LowerBound(forest, static_cast<double>(need.count), near) <= Optimum(some));
}

// The same by definition: at every step all families anew, each by what it would really free.
class Reference {
 public:
  explicit Reference(const Some& some) : some_(some), order_(Forest(some.task()).images()) {}

  Images Run() {
    for (;;) {
      const Images* best = nullptr;
      double best_ratio = 0;
      const auto moves = Moves();
      for (const Images& move : moves) {
        const Tally::Worth worth = WorthOf(move);
        if (worth.bytes.count <= 0 || tried_.contains(move)) continue;
        const double ratio = worth.cost / static_cast<double>(worth.bytes.count);
        if (best != nullptr && ratio >= best_ratio) continue;
        best = &move;
        best_ratio = ratio;
      }
      if (best == nullptr) return finish_;
      const Tally::Worth so_far = WorthOf({});
      const auto missing = static_cast<double>((some_.need - Freed({})).count);
      if (so_far.cost + best_ratio * missing >= finish_cost_) return finish_;
      Try(*best);
    }
  }

 private:
  bool Holds(std::size_t image, Piece piece) const {
    const auto held = some_.store.held(image);
    return std::ranges::find(held, piece) != held.end();
  }

  // Those of the images not yet taken that hold the piece, as places in the order of the forest;
  // none if somebody keeps it who stays.
  Images PlacesOf(Piece piece) const {
    const auto holds = [&](std::size_t image) { return Holds(image, piece); };
    const auto holders =
        std::ranges::count_if(order_, holds) + std::ranges::count_if(some_.gone, holds);
    Images places;
    if (holders != some_.store.holders()[piece]) return places;
    for (std::size_t at = 0; at < order_.size(); ++at) {
      if (holds(order_[at]) && !taken_.contains(order_[at])) places.push_back(at);
    }
    return places;
  }

  // In the order of the forest, larger families before those inside them.
  std::vector<Images> Moves() const {
    std::vector<Images> moves;
    moves.reserve(some_.store.piece_count());
    for (Piece p = 0; p < some_.store.piece_count(); ++p) moves.push_back(PlacesOf(p));
    std::erase_if(moves, [](const Images& family) { return family.empty(); });
    std::ranges::sort(moves, {}, [](const Images& family) {
      return std::pair(family.front(), -std::ssize(family));
    });
    for (Images& family : moves) {
      std::ranges::transform(family, family.begin(), [&](std::size_t at) { return order_[at]; });
    }
    return moves;
  }

  Images With(const Images& move) const {
    Images all(taken_.begin(), taken_.end());
    all.insert(all.end(), move.begin(), move.end());
    return all;
  }
  base::Bytes Freed(const Images& move) const {
    return some_.store.Freed(Together(some_, With(move)));
  }
  Tally::Worth WorthOf(const Images& move) const {
    if (move.empty()) return {.cost = CostOf(some_, With({}))};
    return {Freed(move) - Freed({}), CostOf(some_, With(move)) - CostOf(some_, With({}))};
  }

  void Try(const Images& move) {
    if (Freed(move) < some_.need) {
      taken_.insert(move.begin(), move.end());
      return;
    }
    tried_.insert(move);
    const double cost = CostOf(some_, With(move));
    if (cost >= finish_cost_) return;
    finish_cost_ = cost;
    finish_ = With(move);
  }

  const Some& some_;
  const Images order_;
  std::set<std::size_t> taken_;
  std::set<Images> tried_;
  Images finish_;
  double finish_cost_ = std::numeric_limits<double>::infinity();
};

RC_GTEST_PROP(FamilyProperty, TheLazyHeapChoosesAsIfAllWereComputedAnew, ()) {
  const Some some = AnyTask(16, false);
  const auto need = some.need - Start(some.task()).total().bytes;
  RC_PRE(need.count > 0);
  Images fast = TakeFamilies(Forest(some.task()), static_cast<double>(need.count)).images;
  Images slow = Reference(some).Run();
  std::ranges::sort(fast);
  std::ranges::sort(slow);
  RC_ASSERT(fast == slow);
}

RC_GTEST_PROP(FamilyProperty, TheOrderOfListingPlaysNoPart, ()) {
  const Some some = AnyTask(20, *rc::gen::arbitrary<bool>());
  const std::size_t images = some.store.image_count();
  Images place(images);  // of each image in the other listing
  std::iota(place.begin(), place.end(), 0);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  std::ranges::shuffle(place, random);
  std::vector<std::vector<Piece>> held(images);
  std::vector<base::Bytes> disk;
  disk.reserve(some.store.piece_count());
  for (Piece p = 0; p < some.store.piece_count(); ++p) disk.push_back(some.store.disk(p));
  Some other{.costs = some.costs, .need = some.need};
  for (std::size_t i = 0; i < images; ++i) {
    held[place[i]].assign(some.store.held(i).begin(), some.store.held(i).end());
    other.costs.image[place[i]] = some.costs.image[i];
  }
  other.store = StoreGraph(Accounting::kExact, std::move(disk), std::move(held));
  for (const std::size_t i : some.gone) other.gone.push_back(place[i]);
  for (const std::size_t i : some.candidates) other.candidates.push_back(place[i]);
  Images here = ChooseFamilies(some.task()).removals;
  for (std::size_t& image : here) image = place[image];
  RC_ASSERT(ChooseFamilies(other.task()).removals == here);
}

}  // namespace
}  // namespace ebb::image
