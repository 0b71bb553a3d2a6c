// Sharing from chains of diff IDs. Vertices: stretches of layers that the same images hold, in a
// trie of chains; a snapshot is identified by its whole chain, so sharing is by prefix.
#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "image/store_graph.h"

namespace ebb::image {
namespace {

constexpr std::size_t kRoot = 0;

struct Node {
  std::size_t parent = kRoot;
  std::size_t depth = 0;
  std::vector<std::size_t> images;  // whose chain runs through this node
  std::size_t children = 0;
  bool top = false;  // some image's last layer
};

class Trie {
 public:
  // Returns the node of the image's last layer.
  std::size_t Insert(const std::vector<std::string>& chain, std::size_t image) {
    std::size_t at = kRoot;
    for (const std::string& layer : chain) {
      const auto [place, fresh] = children_.try_emplace({at, layer}, nodes_.size());
      if (fresh) {
        nodes_.push_back({.parent = at, .depth = nodes_[at].depth + 1});
        ++nodes_[at].children;
      }
      at = place->second;
      nodes_[at].images.push_back(image);
    }
    nodes_[at].top = true;
    return at;
  }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> children_;
};

// A stretch ends where chains part or an image ends; its bytes are decided there.
bool EndsStretch(const Node& node) {
  return node.top || node.children != 1;
}

class Estimator {
 public:
  Estimator(const std::vector<Image>& images, const std::vector<LayerChain>& chains, double factor)
      : chains_(chains), held_(images.size()), left_(images.size()), tops_(images.size(), kRoot) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto size = static_cast<double>(std::max(std::int64_t{0}, images[i].size.count));
      left_[i] = std::llround(size * factor);
      if (HasChain(i)) tops_[i] = trie_.Insert(*chains_[i], i);
    }
  }

  StoreGraph Build() && {
    // Nodes are numbered parents first, so a stretch is decided after those below it on the chain.
    start_depth_.assign(trie_.nodes().size(), 0);
    for (std::size_t n = kRoot + 1; n < trie_.nodes().size(); ++n) {
      const Node& node = trie_.nodes()[n];
      const bool starts = node.parent == kRoot || EndsStretch(trie_.nodes()[node.parent]);
      start_depth_[n] = starts ? node.depth - 1 : start_depth_[node.parent];
      if (EndsStretch(node)) AddPiece(StretchBytes(n), node.images);
    }
    bool any = false;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      any = any || HasChain(i);
      if (left_[i] > 0 || held_[i].empty()) AddPiece(left_[i], {i});
    }
    return {any ? Accounting::kLayers : Accounting::kReported, std::move(pieces_),
            std::move(held_)};
  }

 private:
  bool HasChain(std::size_t image) const {
    return image < chains_.size() && chains_[image] && !chains_[image]->empty();
  }

  // No image may hold more than its size. Where an image ends, what it has left is the stretch;
  // elsewhere the smallest remainder is spread evenly over that image's remaining layers.
  std::int64_t StretchBytes(std::size_t n) const {
    const Node& node = trie_.nodes()[n];
    const std::size_t smallest = *std::ranges::min_element(
        node.images, {}, [&](std::size_t i) { return std::pair(left_[i], chains_[i]->size()); });
    if (node.top) {
      std::int64_t whole = left_[smallest];
      for (const std::size_t i : node.images) {
        if (tops_[i] == n) return std::min(whole, left_[i]);
      }
      return whole;
    }
    const std::size_t layers = node.depth - start_depth_[n];
    const std::size_t remaining = chains_[smallest]->size() - start_depth_[n];
    return left_[smallest] * static_cast<std::int64_t>(layers) /
           static_cast<std::int64_t>(remaining);
  }

  void AddPiece(std::int64_t bytes, const std::vector<std::size_t>& images) {
    for (const std::size_t i : images) {
      held_[i].push_back(static_cast<StoreGraph::Piece>(pieces_.size()));
      left_[i] -= bytes;
    }
    pieces_.push_back({bytes});
  }

  const std::vector<LayerChain>& chains_;
  Trie trie_;
  std::vector<base::Bytes> pieces_;
  std::vector<std::vector<StoreGraph::Piece>> held_;
  std::vector<std::int64_t> left_;  // bytes of each image not yet given to a piece
  std::vector<std::size_t> tops_;
  std::vector<std::size_t> start_depth_;
};

}  // namespace

StoreGraph MakeLayerGraph(const std::vector<Image>& images, const std::vector<LayerChain>& chains,
                          double disk_per_reported) {
  return Estimator(images, chains, disk_per_reported).Build();
}

}  // namespace ebb::image
