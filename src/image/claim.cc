#include "image/claim.h"

#include <algorithm>

#include "image/name_index.h"

namespace ebb::image {
namespace {

using Kind = StoreRoot::Kind;

// Entries that a record reaches through content alone: its index, manifests and configurations.
std::vector<bool> ContentOf(const Store& store, const StoreRoot& record) {
  std::vector<bool> reached(store.objects.size());
  std::vector<StoreObject::Index> waiting(record.keeps);
  while (!waiting.empty()) {
    const auto at = waiting.back();
    waiting.pop_back();
    if (reached[at] || store.objects[at].kind != StoreObject::Kind::kEntry) continue;
    reached[at] = true;
    const auto& kept = store.objects[at].keeps;
    waiting.insert(waiting.end(), kept.begin(), kept.end());
  }
  return reached;
}

std::string Puller(const StoreRoot& root) {
  return (root.kind == Kind::kLease ? "lease " : "a write of ") + root.name + " in " + root.space;
}

}  // namespace

std::vector<Claim> NeedsOf(const KnownPods& pods) {
  std::vector<Claim> needs;
  if (!pods.pods) return needs;
  for (const Pod& pod : *pods.pods) {
    if (pod.terminated) continue;
    for (const std::string& image : pod.images) {
      needs.push_back({image, "pod " + pod.pod_namespace + "/" + pod.name});
    }
  }
  return needs;
}

std::vector<Claim> PullsIn(const Store& store) {
  std::vector<Claim> pulls;
  std::vector<const StoreRoot*> pulling;
  for (const StoreRoot& root : store.roots) {
    if (!root.pulls.empty()) pulling.push_back(&root);
  }
  if (pulling.empty()) return pulls;
  for (const StoreRoot& record : store.roots) {
    if (record.kind != Kind::kRecord) continue;
    const std::vector<bool> content = ContentOf(store, record);
    const auto touches = [&](const StoreRoot* root) {
      return std::ranges::any_of(root->pulls, [&](auto at) { return content[at]; });
    };
    const auto found = std::ranges::find_if(pulling, touches);
    if (found != pulling.end()) pulls.push_back({record.name, Puller(**found)});
  }
  return pulls;
}

std::vector<const Claim*> Claimants(const std::vector<Image>& images,
                                    const std::vector<Claim>& claims) {
  std::vector<const Claim*> claimants(images.size());
  NameIndex names(images);
  for (const Claim& claim : claims) {
    for (const std::size_t i : names.Find(claim.image)) {
      if (claimants[i] == nullptr) claimants[i] = &claim;
    }
  }
  return claimants;
}

}  // namespace ebb::image
