#include "image/greedy.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

namespace ebb::image {
namespace {

using Index = Forest::Index;

struct Move {
  double ratio = 0;
  Index node = 0;
  friend bool operator<(const Move& a, const Move& b) {  // the queue's top is the best
    return std::tuple(b.ratio, b.node) < std::tuple(a.ratio, a.node);
  }
};

// What is left of a family.
struct Left {
  double bytes = 0;
  double cost = 0;
  Index images = 0;
  bool gone = false;
};

class Taking {
 public:
  Taking(const Forest& forest, double need) : forest_(forest), need_(need) {
    const auto& nodes = forest.nodes();
    left_.reserve(nodes.size());
    std::vector<Move> moves;
    moves.reserve(nodes.size());
    for (Index n = 0; n < nodes.size(); ++n) {
      left_.push_back({.bytes = nodes[n].bytes,
                       .cost = nodes[n].cost,
                       .images = nodes[n].end_image - nodes[n].first_image});
      if (n > 0 && nodes[n].bytes > 0) moves.push_back({Ratio(n), n});
    }
    moves_ = std::priority_queue<Move>(std::less<Move>(), std::move(moves));
  }

  Greedy Run() && {
    while (!moves_.empty()) {
      const Move move = moves_.top();
      moves_.pop();
      if (!IsMove(move.node)) continue;
      if (const double now = Ratio(move.node); now != move.ratio) {
        moves_.push({now, move.node});
        continue;
      }
      if (cost_ + move.ratio * (need_ - bytes_) >= best_cost_) break;
      if (bytes_ + left_[move.node].bytes < need_) {
        Take(move.node);
      } else {
        RememberFinish(move.node);
      }
    }
    return Answer();
  }

 private:
  double Ratio(Index node) const { return left_[node].cost / left_[node].bytes; }

  // A family with as many images left as its parent is the parent's, and frees what that frees.
  bool IsMove(Index node) const {
    const Left& left = left_[node];
    if (left.gone || left.bytes <= 0) return false;
    const Index parent = forest_.nodes()[node].parent;
    return parent == 0 || left.images != left_[parent].images;
  }

  void Take(Index node) {
    const Left going = left_[node];
    bytes_ += going.bytes;
    cost_ += going.cost;
    ratio_ = Ratio(node);
    taken_.push_back(node);
    for (Index n = node; n < forest_.nodes()[node].end; ++n) left_[n].gone = true;
    for (Index up = forest_.nodes()[node].parent; up != 0; up = forest_.nodes()[up].parent) {
      left_[up].bytes -= going.bytes;
      left_[up].cost -= going.cost;
      left_[up].images -= going.images;
    }
  }

  // Once is enough: with one of its own inside it gone, the family would finish with the same
  // images.
  void RememberFinish(Index node) {
    const double cost = cost_ + left_[node].cost;
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_taken_ = taken_.size();
    finish_ = node;
    best_ratio_ = Ratio(node);
  }

  Greedy Answer() const {
    if (finish_ == 0) return {};
    std::vector<bool> in(forest_.images().size());
    const auto add = [&](Index node) {
      const Forest::Node& family = forest_.nodes()[node];
      for (Index i = family.first_image; i < family.end_image; ++i) in[i] = true;
    };
    for (std::size_t t = 0; t < best_taken_; ++t) add(taken_[t]);
    add(finish_);
    Greedy answer{.ratio = best_taken_ > 0 ? ratio_ : best_ratio_};
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (in[i]) answer.images.push_back(forest_.images()[i]);
    }
    return answer;
  }

  const Forest& forest_;
  const double need_;
  std::vector<Left> left_;
  std::priority_queue<Move> moves_;
  std::vector<Index> taken_;
  double bytes_ = 0;
  double cost_ = 0;
  double ratio_ = 0;
  Index finish_ = 0;  // 0: none yet
  std::size_t best_taken_ = 0;
  double best_cost_ = std::numeric_limits<double>::infinity();
  double best_ratio_ = 0;
};

}  // namespace

Greedy TakeFamilies(const Forest& forest, double need) {
  return Taking(forest, need).Run();
}

}  // namespace ebb::image
