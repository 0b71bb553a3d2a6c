// Who shares which bytes. The planner knows the store only through Freed().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "image/image.h"

namespace ebb::image {

// How far the bytes of a graph can be trusted.
enum class Accounting {
  kExact,     // every blob and snapshot is known
  kLayers,    // sharing is known from diff IDs, bytes are estimated from reported sizes
  kReported,  // sizes as reported; sharing unknown
};

// Vertices are pieces of storage (a layer, or a whole image where layers are unknown); an image
// holds some of them. A piece is freed when the last image that holds it goes.
class StoreGraph {
 public:
  using Piece = std::uint32_t;

  StoreGraph() = default;
  // pieces[p] is what piece p takes on disk; held[i] lists, each once, the pieces of image i;
  // downloads[p] is what has to be pulled to have piece p again. Without `downloads` it is taken
  // to be the disk bytes over 2.6, the usual expansion of a compressed layer.
  StoreGraph(Accounting accounting, std::vector<base::Bytes> pieces,
             std::vector<std::vector<Piece>> held, std::vector<base::Bytes> downloads = {});

  // Bytes that go when all of `images` (indices, each once) go: not the sum of what each frees.
  base::Bytes Freed(std::span<const std::size_t> images) const;

  // Everything any image holds, each piece once.
  base::Bytes Total() const;

  Accounting accounting() const { return accounting_; }
  std::size_t image_count() const { return held_.size(); }
  std::size_t piece_count() const { return pieces_.size(); }
  std::span<const Piece> held(std::size_t image) const { return held_[image]; }
  base::Bytes disk(Piece piece) const { return pieces_[piece]; }
  base::Bytes download(Piece piece) const { return downloads_[piece]; }
  std::span<const std::uint32_t> holders() const { return holders_; }  // per piece: how many images

 private:
  friend class FreedSoFar;
  Accounting accounting_ = Accounting::kReported;
  std::vector<base::Bytes> pieces_;
  std::vector<base::Bytes> downloads_;
  std::vector<std::vector<Piece>> held_;
  std::vector<std::uint32_t> holders_;  // per piece: how many images hold it
};

// The same as Freed() of a growing set, by reference counts: Add() costs the image's pieces.
class FreedSoFar {
 public:
  explicit FreedSoFar(const StoreGraph& graph) : graph_(graph), holders_(graph.holders_) {}

  // What removing `image` would free after all earlier Add()s.
  base::Bytes Marginal(std::size_t image) const;
  // Removes it; returns Marginal(image).
  base::Bytes Add(std::size_t image);
  // What would no longer be freed if `image`, added before, stayed after all.
  base::Bytes Loss(std::size_t image) const;
  // Takes an earlier Add() back.
  void PutBack(std::size_t image);
  base::Bytes total() const { return total_; }

 private:
  const StoreGraph& graph_;
  std::vector<std::uint32_t> holders_;
  base::Bytes total_;
};

// Each image one piece of its reported size times `disk_per_reported`.
StoreGraph MakeReportedGraph(const std::vector<Image>& images, double disk_per_reported = 1);

// Diff IDs of an image from the base up; nullopt where the runtime did not tell.
using LayerChain = std::optional<std::vector<std::string>>;

// Sharing by chain of diff IDs; the bytes of a shared stretch are estimated so that every image's
// pieces add up to its size. An image without a chain is one piece of its own; without any chain
// the accounting is kReported. `chains` is empty or has one entry per image.
StoreGraph MakeLayerGraph(const std::vector<Image>& images, const std::vector<LayerChain>& chains,
                          double disk_per_reported = 1);

}  // namespace ebb::image
