#include "image/holding.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "image/exact_graph.h"

namespace ebb::image {
namespace {

using Index = StoreObject::Index;
using Kind = StoreObject::Kind;

base::Bytes Sum(const Store& store, const std::vector<bool>& counted) {
  base::Bytes sum;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (counted[i]) sum += store.objects[i].disk;
  }
  return sum;
}

std::optional<Index> ParentOf(const Store& store, Index at) {
  for (const Index kept : store.objects[at].keeps) {
    if (store.objects[kept].kind == Kind::kSnapshot) return kept;
  }
  return std::nullopt;
}

bool IsLayer(const StoreObject& object) {
  return object.kind == Kind::kSnapshot && !object.writable;
}

class Forest {
 public:
  explicit Forest(const Store& store) : store_(store), listed_(store.objects.size()) {
    for (Index at = 0; at < store.objects.size(); ++at) {
      if (!IsLayer(store.objects[at])) continue;
      const std::optional<Index> parent = ParentOf(store, at);
      children_[parent].push_back(at);
    }
    for (auto& [parent, children] : children_) {
      std::ranges::sort(children, {},
                        [&](Index at) { return std::string_view(store.objects[at].name); });
    }
  }

  std::vector<LayerNode> List() && {
    Below(std::nullopt, 0);
    // What a cycle keeps from being reached.
    for (Index at = 0; at < listed_.size(); ++at) {
      if (!listed_[at] && IsLayer(store_.objects[at])) Visit({.object = at});
    }
    return std::move(nodes_);
  }

 private:
  void Below(std::optional<Index> parent, std::size_t depth) {
    const auto found = children_.find(parent);
    if (found == children_.end()) return;
    for (const Index child : found->second) {
      Visit({.object = child, .depth = depth, .last = child == found->second.back()});
    }
  }
  void Visit(const LayerNode& node) {  // NOLINT(misc-no-recursion): as deep as a chain of layers
    if (listed_[node.object]) return;
    listed_[node.object] = true;
    nodes_.push_back(node);
    Below(node.object, node.depth + 1);
  }

  const Store& store_;
  std::vector<bool> listed_;
  std::map<std::optional<Index>, std::vector<Index>> children_;
  std::vector<LayerNode> nodes_;
};

}  // namespace

std::vector<RootBytes> BytesOfRoots(const Store& store, std::span<const std::size_t> roots) {
  std::vector<std::size_t> all(store.roots.size());
  std::iota(all.begin(), all.end(), 0);
  const base::Bytes total = Sum(store, Mark(store, all));
  std::vector<RootBytes> bytes;
  bytes.reserve(roots.size());
  for (const std::size_t root : roots) {
    std::vector<std::size_t> others = all;
    std::erase(others, root);
    bytes.push_back({.held = Sum(store, Mark(store, std::array{root})),
                     .exclusive = total - Sum(store, Mark(store, others))});
  }
  return bytes;
}

std::vector<RootBytes> BytesOfImages(const Observation& seen) {
  std::vector<RootBytes> bytes(seen.images.size());
  if (!seen.objects.roots.empty()) {
    const auto exact = MakeExactGraph(seen.objects, seen.images).bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = {exact[i].held, exact[i].exclusive};
    return bytes;
  }
  const FreedSoFar alone(seen.store);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const auto piece : seen.store.held(i)) bytes[i].held += seen.store.disk(piece);
    bytes[i].exclusive = alone.Marginal(i);
  }
  return bytes;
}

std::vector<LayerNode> LayerForest(const Store& store) {
  return Forest(store).List();
}

base::Result<Index> FindObject(const Store& store, std::string_view reference) {
  constexpr std::size_t kShortest = 6;
  const auto names = [&](const StoreObject& object) {
    if (object.kind == Kind::kEntry) return false;
    const std::string_view name = object.name;
    const std::string_view last = name.substr(name.rfind('/') + 1);
    const std::string_view bare = last.substr(last.rfind(':') + 1);
    return name == reference || last == reference ||
           (reference.size() >= kShortest &&
            (last.starts_with(reference) || bare.starts_with(reference)));
  };
  std::vector<Index> found;
  for (Index at = 0; at < store.objects.size(); ++at) {
    if (names(store.objects[at])) found.push_back(at);
  }
  const std::string asked(reference);
  if (found.empty()) {
    return base::Error{base::ErrorCode::kUsage,
                       "no layer or blob '" + asked + "' in the store; 'ebb layers' lists them"};
  }
  const std::string& first = store.objects[found.front()].name;
  const auto same = [&](Index at) { return store.objects[at].name == first; };
  if (found.size() > 1 && !std::ranges::all_of(found, same)) {
    return base::Error{base::ErrorCode::kUsage, "'" + asked + "' names " +
                                                    std::to_string(found.size()) +
                                                    " layers and blobs; give more of the name"};
  }
  return found.front();
}

}  // namespace ebb::image
