// Families: the images that stand on the same layers, as the moves of the planner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "image/cost.h"
#include "image/image.h"
#include "image/store_graph.h"

namespace ebb::image {

// Which of `candidates` to remove beside `gone`, so that all removals together free `need`.
struct Task {
  const StoreGraph& store;
  const Costs& costs;
  std::span<const std::size_t> gone;        // go anyway
  std::span<const std::size_t> candidates;  // in the order that settles ties; none is in `gone`
  base::Bytes need;
};

// The trie over what candidates hold and only candidates and `gone` hold, shared pieces first. Its
// nodes are the families: all images at or below a node share its pieces. Stretches that the same
// images hold are one node, so there are at most two nodes per image. Layers of unpacked images
// nest, and then every piece is at one node and the family's numbers are the truth. A piece that
// does not nest stands at several nodes, each with a share of it.
class Forest {
 public:
  using Index = std::uint32_t;

  // In preorder: the family of node n is the nodes [n, end). Node 0 is no family but all of them.
  struct Node {
    Index parent = 0;
    Index end = 0;
    Index first_image = 0;  // images()[first_image, end_image) are the family
    Index end_image = 0;
    double bytes = 0;  // what the family frees if it goes alone
    double cost = 0;
    double own_bytes = 0;  // of that, at this node: pieces that are nowhere else
    double own_cost = 0;   // and its images
  };

  // A piece that stands at several nodes.
  struct Share {
    Index node = 0;
    double part = 0;   // the parts of one piece add up to 1
    double bytes = 0;  // of the whole piece
    double cost = 0;
  };

  explicit Forest(const Task& task);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Share>& shares() const { return shares_; }
  // Candidates that hold something that can come free, each once.
  const std::vector<std::size_t>& images() const { return images_; }

 private:
  friend class ForestBuilder;
  std::vector<Node> nodes_;
  std::vector<Share> shares_;
  std::vector<std::size_t> images_;
};

}  // namespace ebb::image
