#include "image/forest.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ebb::image {
namespace {

using Index = Forest::Index;
using Piece = StoreGraph::Piece;

constexpr Index kNone = std::numeric_limits<Index>::max();

// The trie before equal stretches are joined. Parents come before their children.
struct TrieNode {
  Piece piece = 0;
  Index parent = 0;
  Index count = 0;     // images at or below
  Index twin = kNone;  // another node of the same piece
};

}  // namespace

class ForestBuilder {
 public:
  ForestBuilder(const Task& task, Forest& forest) : task_(task), forest_(forest) {}

  void Build() {
    CountHolders();
    trie_.reserve(task_.store.piece_count() + 1);
    trie_.emplace_back();
    tops_.reserve(task_.candidates.size());
    for (const std::size_t image : task_.candidates) tops_.push_back(Insert(image));
    Join();
    Number();
    PlaceImages();
    PlacePieces();
    SumUp();
  }

 private:
  void CountHolders() {
    count_.assign(task_.store.piece_count(), 0);
    const auto holders = task_.store.holders();
    std::vector<Index> outside(holders.begin(), holders.end());
    for (const std::size_t image : task_.gone) {
      for (const Piece p : task_.store.held(image)) --outside[p];
    }
    for (const std::size_t image : task_.candidates) {
      for (const Piece p : task_.store.held(image)) ++count_[p];
    }
    for (Piece p = 0; p < count_.size(); ++p) {
      if (outside[p] != count_[p]) count_[p] = 0;  // somebody who stays holds it
    }
    first_.assign(count_.size(), kNone);
  }

  // Returns the node of the image's last piece; 0 if it holds nothing that can come free.
  Index Insert(std::size_t image) {
    path_.clear();
    bool sorted = true;
    for (const Piece p : task_.store.held(image)) {
      if (count_[p] == 0) continue;
      sorted = sorted && (path_.empty() || !Above(p, path_.back()));
      path_.push_back(p);
    }
    if (!sorted) {
      std::ranges::sort(path_, [this](Piece a, Piece b) { return Above(a, b); });
    }
    Index at = 0;
    for (const Piece p : path_) {
      at = Child(at, p);
      ++trie_[at].count;
    }
    return at;
  }

  bool Above(Piece a, Piece b) const {
    return count_[a] != count_[b] ? count_[a] > count_[b] : a < b;
  }

  Index Child(Index parent, Piece piece) {
    Index at = first_[piece];
    while (at != kNone && trie_[at].parent != parent) at = trie_[at].twin;
    if (at != kNone) return at;
    at = static_cast<Index>(trie_.size());
    trie_.push_back({.piece = piece, .parent = parent, .twin = first_[piece]});
    first_[piece] = at;
    return at;
  }

  // A node with as many images as its parent is the same family.
  void Join() {
    joined_.assign(trie_.size(), 0);
    parent_.assign(1, 0);
    for (Index at = 1; at < trie_.size(); ++at) {
      const TrieNode& node = trie_[at];
      if (node.parent != 0 && node.count == trie_[node.parent].count) {
        joined_[at] = joined_[node.parent];
      } else {
        joined_[at] = static_cast<Index>(parent_.size());
        parent_.push_back(joined_[node.parent]);
      }
    }
  }

  // Preorder numbers, so that a family is a range.
  void Number() {
    std::vector<Index> size(parent_.size(), 1);
    for (auto at = parent_.size(); at-- > 1;) size[parent_[at]] += size[at];
    number_.assign(parent_.size(), 0);
    std::vector<Index> next(parent_.size(), 1);
    forest_.nodes_.resize(parent_.size());
    for (std::size_t at = 0; at < parent_.size(); ++at) {
      const Index up = parent_[at];
      if (at > 0) {
        number_[at] = next[up];
        next[up] += size[at];
      }
      next[at] = number_[at] + 1;
      forest_.nodes_[number_[at]] = {.parent = number_[up], .end = number_[at] + size[at]};
    }
  }

  Index NodeOf(Index trie_node) const { return number_[joined_[trie_node]]; }

  // An image stands before those of the nodes below its own.
  void PlaceImages() {
    auto& nodes = forest_.nodes_;
    std::vector<Index> here(nodes.size());
    for (const Index top : tops_) {
      if (top != 0) ++here[NodeOf(top)];
    }
    Index placed = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      nodes[n].first_image = placed;
      placed += here[n];
      here[n] = nodes[n].first_image;  // from now on: where the next one goes
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      nodes[n].end_image = nodes[n].end < nodes.size() ? nodes[nodes[n].end].first_image : placed;
    }
    forest_.images_.resize(placed);
    for (std::size_t c = 0; c < tops_.size(); ++c) {
      if (tops_[c] == 0) continue;
      const std::size_t image = task_.candidates[c];
      const Index node = NodeOf(tops_[c]);
      forest_.images_[here[node]++] = image;
      nodes[node].own_cost += task_.costs.image[image];
    }
  }

  void PlacePieces() {
    for (Index at = 1; at < trie_.size(); ++at) {
      const TrieNode& node = trie_[at];
      const auto bytes = static_cast<double>(task_.store.disk(node.piece).count);
      const double cost = task_.costs.piece[node.piece];
      Forest::Node& place = forest_.nodes_[NodeOf(at)];
      if (node.count == count_[node.piece]) {
        place.own_bytes += bytes;
        place.own_cost += cost;
      } else {
        const double part = static_cast<double>(node.count) / count_[node.piece];
        forest_.shares_.push_back({NodeOf(at), part, bytes, cost});
        place.bytes += part * bytes;
        place.cost += part * cost;
      }
    }
  }

  void SumUp() {
    auto& nodes = forest_.nodes_;
    for (auto n = nodes.size(); n-- > 0;) {
      nodes[n].bytes += nodes[n].own_bytes;
      nodes[n].cost += nodes[n].own_cost;
      if (n == 0) break;
      nodes[nodes[n].parent].bytes += nodes[n].bytes;
      nodes[nodes[n].parent].cost += nodes[n].cost;
    }
  }

  const Task& task_;
  Forest& forest_;
  std::vector<Index> count_;  // per piece: candidates that hold it; 0 if it cannot come free
  std::vector<Index> first_;  // per piece: its newest trie node
  std::vector<TrieNode> trie_;
  std::vector<Index> tops_;    // per candidate
  std::vector<Index> joined_;  // per trie node: the family it belongs to
  std::vector<Index> parent_;  // per family, in order of the trie
  std::vector<Index> number_;  // per family: its preorder number
  std::vector<Piece> path_;
};

Forest::Forest(const Task& task) {
  ForestBuilder(task, *this).Build();
}

}  // namespace ebb::image
