#include "containerd/belong.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "containerd/labels.h"

namespace ebb::containerd {
namespace {

using Digests = std::unordered_set<std::string_view>;

// Content edges, walked against their direction.
class Keepers {
 public:
  explicit Keepers(const std::vector<ContentEntry>& content) {
    for (const ContentEntry& entry : content) {
      for (const std::string_view kept : ReadGcLabels(entry.labels).content) {
        keepers_[kept].push_back(entry.digest);
      }
    }
  }

  // `digest` and all from which it can be reached.
  Digests Above(std::string_view digest) const {
    Digests found = {digest};
    std::vector<std::string_view> open = {digest};
    while (!open.empty()) {
      const auto above = keepers_.find(open.back());
      open.pop_back();
      if (above == keepers_.end()) continue;
      for (const std::string_view keeper : above->second) {
        if (found.insert(keeper).second) open.push_back(keeper);
      }
    }
    return found;
  }

 private:
  std::unordered_map<std::string_view, std::vector<std::string_view>> keepers_;
};

}  // namespace

std::vector<std::vector<std::size_t>> RecordsOf(std::span<const image::ImageId> ids,
                                                const std::vector<ImageRecord>& records,
                                                const std::vector<ContentEntry>& content) {
  const Keepers keepers(content);
  std::vector<std::vector<std::size_t>> result;
  result.reserve(ids.size());
  for (const image::ImageId& id : ids) {
    Digests targets = keepers.Above(id.value);
    for (const ImageRecord& record : records) {
      if (record.name == id.value) targets.insert(record.target);
    }
    std::vector<std::size_t>& mine = result.emplace_back();
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (targets.contains(records[i].target)) mine.push_back(i);
    }
  }
  return result;
}

}  // namespace ebb::containerd
