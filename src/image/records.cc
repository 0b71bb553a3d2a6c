// Which image a record belongs to.
#include <string_view>
#include <unordered_map>

#include "image/exact_graph.h"

namespace ebb::image {
namespace {

constexpr std::size_t kSeveral = static_cast<std::size_t>(-1);

// What must be unique to name an image: a second owner makes it name none.
class Names {
 public:
  void Add(std::string_view name, std::size_t image) {
    const auto [at, fresh] = owner_.try_emplace(name, image);
    if (!fresh && at->second != image) at->second = kSeveral;
  }
  std::optional<std::size_t> Find(std::string_view name) const {
    const auto at = owner_.find(name);
    if (at == owner_.end() || at->second == kSeveral) return std::nullopt;
    return at->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> owner_;
};

std::string_view Bare(std::string_view id) {
  constexpr std::string_view kAlgorithm = "sha256:";
  return id.starts_with(kAlgorithm) ? id.substr(kAlgorithm.size()) : id;
}

// The digest of a blob or of a namespace's entry of one; empty for snapshots, whose keys are
// digests of something else.
std::string_view DigestOf(const StoreObject& object) {
  const std::string_view name = object.name;
  if (object.kind == StoreObject::Kind::kSnapshot) return {};
  return object.kind == StoreObject::Kind::kBlob ? name : name.substr(name.find('/') + 1);
}

class Assignment {
 public:
  Assignment(const Store& store, const std::vector<Image>& images)
      : store_(store), seen_by_(store.objects.size(), kSeveral) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (images[i].id.value.empty()) continue;
      ids_.Add(Bare(images[i].id.value), i);
      for (const std::string& tag : images[i].tags) names_.Add(tag, i);
      for (const std::string& digest : images[i].digests) names_.Add(digest, i);
    }
  }

  std::optional<std::size_t> Of(std::size_t root) {
    const StoreRoot& record = store_.roots[root];
    if (record.kind != StoreRoot::Kind::kRecord || !record.removable) return std::nullopt;
    if (const auto image = ids_.Find(Bare(record.name))) return image;
    if (const auto image = names_.Find(record.name)) return image;
    return ByConfiguration(root);
  }

 private:
  std::optional<std::size_t> ByConfiguration(std::size_t root) {
    std::optional<std::size_t> found;
    std::vector<StoreObject::Index> waiting = store_.roots[root].keeps;
    while (!waiting.empty()) {
      const auto object = waiting.back();
      waiting.pop_back();
      if (seen_by_[object] == root) continue;
      seen_by_[object] = root;
      const auto image = ids_.Find(Bare(DigestOf(store_.objects[object])));
      if (image && found && *image != *found) return std::nullopt;
      if (image) found = image;
      const auto& kept = store_.objects[object].keeps;
      waiting.insert(waiting.end(), kept.begin(), kept.end());
    }
    return found;
  }

  const Store& store_;
  Names ids_;
  Names names_;
  std::vector<std::size_t> seen_by_;  // per object: the root that reached it last
};

}  // namespace

std::vector<std::optional<std::size_t>> AssignRecords(const Store& store,
                                                      const std::vector<Image>& images) {
  Assignment assignment(store, images);
  std::vector<std::optional<std::size_t>> owners;
  owners.reserve(store.roots.size());
  for (std::size_t root = 0; root < store.roots.size(); ++root) {
    owners.push_back(assignment.Of(root));
  }
  return owners;
}

}  // namespace ebb::image
