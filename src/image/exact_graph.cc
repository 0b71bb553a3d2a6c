#include "image/exact_graph.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace ebb::image {
namespace {

using Index = StoreObject::Index;

struct PieceInMaking {
  std::vector<std::size_t> images;
  base::Bytes disk;
  base::Bytes download;
  Index first = 0;  // the object of least name: numbers pieces the same in whatever order they come
};

class Builder {
 public:
  Builder(const Store& store, const std::vector<Image>& images)
      : store_(store),
        records_(images.size()),
        holders_(store.objects.size()),
        reached_by_(store.objects.size(), images.size()),
        exact_(store.unknown.empty()) {
    const auto owners = AssignRecords(store, images);
    std::vector<std::size_t> staying;
    for (std::size_t root = 0; root < owners.size(); ++root) {
      if (owners[root]) {
        records_[*owners[root]].push_back(root);
      } else {
        staying.push_back(root);
      }
    }
    stays_ = Mark(store, staying);
    result_.bytes.resize(images.size());
  }

  ExactGraph Build() && {
    for (std::size_t image = 0; image < records_.size(); ++image) Walk(image);
    MakeGraph(Pieces());
    const FreedSoFar alone(result_.graph);
    for (std::size_t image = 0; image < records_.size(); ++image) {
      result_.bytes[image].exclusive = alone.Marginal(image);
    }
    return std::move(result_);
  }

 private:
  void Walk(std::size_t image) {
    std::vector<Index> waiting;
    for (const std::size_t root : records_[image]) {
      const auto& kept = store_.roots[root].keeps;
      waiting.insert(waiting.end(), kept.begin(), kept.end());
    }
    while (!waiting.empty()) {
      const Index at = waiting.back();
      waiting.pop_back();
      if (std::exchange(reached_by_[at], image) == image) continue;
      Hold(image, at);
      const auto& kept = store_.objects[at].keeps;
      waiting.insert(waiting.end(), kept.begin(), kept.end());
    }
  }

  void Hold(std::size_t image, Index at) {
    const StoreObject& object = store_.objects[at];
    result_.bytes[image].held += object.disk;
    exact_ = exact_ && object.measured;
    const bool bytes = object.disk.count > 0 || object.download.count > 0;
    if (bytes && !stays_[at]) holders_[at].push_back(image);
  }

  // Objects that the same images hold become one piece.
  std::vector<PieceInMaking> Pieces() const {
    std::map<std::vector<std::size_t>, std::size_t> place;
    std::vector<PieceInMaking> pieces;
    for (Index at = 0; at < holders_.size(); ++at) {
      if (holders_[at].empty()) continue;
      const auto [found, fresh] = place.try_emplace(holders_[at], pieces.size());
      if (fresh) pieces.push_back({.images = holders_[at], .first = at});
      PieceInMaking& piece = pieces[found->second];
      piece.disk += store_.objects[at].disk;
      piece.download += store_.objects[at].download;
      if (NameOf(at) < NameOf(piece.first)) piece.first = at;
    }
    std::ranges::sort(pieces, [this](const PieceInMaking& a, const PieceInMaking& b) {
      return std::tuple(b.images.size(), NameOf(a.first)) <
             std::tuple(a.images.size(), NameOf(b.first));
    });
    return pieces;
  }

  std::pair<StoreObject::Kind, std::string_view> NameOf(Index at) const {
    return {store_.objects[at].kind, store_.objects[at].name};
  }

  void MakeGraph(const std::vector<PieceInMaking>& pieces) {
    std::vector<base::Bytes> disk;
    std::vector<base::Bytes> download;
    std::vector<std::vector<StoreGraph::Piece>> held(records_.size());
    disk.reserve(pieces.size());
    download.reserve(pieces.size());
    for (const PieceInMaking& piece : pieces) {
      const auto number = static_cast<StoreGraph::Piece>(disk.size());
      for (const std::size_t image : piece.images) held[image].push_back(number);
      disk.push_back(piece.disk);
      download.push_back(piece.download);
    }
    result_.graph = StoreGraph(exact_ ? Accounting::kExact : Accounting::kLayers, std::move(disk),
                               std::move(held), std::move(download));
  }

  const Store& store_;
  std::vector<std::vector<std::size_t>> records_;  // per image: its roots
  std::vector<bool> stays_;                        // per object: held by what no removal takes away
  std::vector<std::vector<std::size_t>> holders_;  // per object that can go: images, ascending
  std::vector<std::size_t> reached_by_;            // per object: the image that reached it last
  bool exact_;
  ExactGraph result_;
};

}  // namespace

ExactGraph MakeExactGraph(const Store& store, const std::vector<Image>& images) {
  return Builder(store, images).Build();
}

Holders::Holders(const Store& store)
    : keepers_(store.objects.size()), roots_(store.objects.size()) {
  for (Index at = 0; at < store.objects.size(); ++at) {
    for (const Index kept : store.objects[at].keeps) keepers_[kept].push_back(at);
  }
  for (std::size_t root = 0; root < store.roots.size(); ++root) {
    for (const Index kept : store.roots[root].keeps) roots_[kept].push_back(root);
  }
}

std::vector<std::size_t> Holders::Of(Index object) const {
  std::vector<std::size_t> found;
  std::vector<bool> seen(keepers_.size());
  std::vector<Index> waiting = {object};
  seen[object] = true;
  while (!waiting.empty()) {
    const Index at = waiting.back();
    waiting.pop_back();
    found.insert(found.end(), roots_[at].begin(), roots_[at].end());
    for (const Index keeper : keepers_[at]) {
      if (!seen[keeper]) waiting.push_back(keeper);
      seen[keeper] = true;
    }
  }
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

}  // namespace ebb::image
