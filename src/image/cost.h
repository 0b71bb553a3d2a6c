// What it costs to have removed images that are wanted again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "image/observation.h"
#include "image/policy.h"

namespace ebb::image {

// Costs of a removal per hour from now: expected seconds of pulling again, or bytes for kBytes.
// A piece is charged once, at the rate at which any of its images returns.
struct Costs {
  std::vector<double> image;  // per image: what removing it costs beside its bytes
  std::vector<double> piece;  // per piece: what freeing it costs
};

// How often per hour an image is expected to be started again: (recent starts + 0.3) over twice
// the idle hours plus one, a tenth of it if the image is superseded. kIdle leaves the starts out.
double ReuseRate(const Image& image, base::TimePoint now, bool superseded, RemovalPolicy policy);

// Only `unused` images count: a piece that others hold never comes free. Their order decides the
// order of sums, so it should not depend on how images were listed. `superseded` has one entry
// per image. A pull takes 2 s, 50 MB/s of download and 200 MB/s of unpacking; only ratios matter.
Costs MakeCosts(const Observation& seen, std::span<const std::size_t> unused, RemovalPolicy policy,
                const std::vector<std::optional<std::size_t>>& superseded);

// What a growing set of removals frees and costs, by reference counts.
class Tally {
 public:
  struct Worth {
    base::Bytes bytes;
    double cost = 0;
  };

  Tally(const StoreGraph& store, const Costs& costs);

  void Add(std::size_t image);
  void PutBack(std::size_t image);
  Worth Marginal(std::size_t image) const;  // what Add() would add
  Worth Loss(std::size_t image) const;      // what PutBack() would take away
  void ForgetCost() { total_.cost = 0; }    // what went so far costs nothing
  const Worth& total() const { return total_; }

 private:
  Worth Sum(std::size_t image, std::uint32_t holders) const;
  void Count(StoreGraph::Piece piece, Worth& sum) const;

  const StoreGraph& store_;
  const Costs& costs_;
  std::vector<std::uint32_t> holders_;
  Worth total_;
};

}  // namespace ebb::image
