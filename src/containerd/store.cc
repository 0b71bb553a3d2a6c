#include "containerd/store.h"

#include <chrono>
#include <iterator>
#include <utility>

#include "containerd/disk.h"
#include "containerd/lists.h"
#include "containerd/translate.h"
#include "containerd/usage.h"

namespace ebb::containerd {
namespace {

std::string RootOf(const Plugins& plugins, const std::string& snapshotter) {
  const auto found = plugins.snapshotters.find(snapshotter);
  return found == plugins.snapshotters.end() ? "" : found->second;
}

// A filesystem takes blocks of its own to remember where a large or scattered file is. Small files
// need none, and they are most.
void LookAtLargeBlobs(const std::string& content_root, Listing& listing) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 20;
  if (content_root.empty()) return;
  for (Space& space : listing.spaces) {
    for (ContentEntry& entry : space.content) {
      if (entry.size.count >= kLarge) entry.disk = BlobOnDisk(content_root, entry.digest);
    }
  }
}

void AddDisk(const Plugins& plugins, Listing& listing) {
  DiskFacts facts = LookAtDisk(plugins.content_root, RootOf(plugins, "overlayfs"));
  listing.block = facts.block;
  LookAtLargeBlobs(plugins.content_root, listing);
  // A native layer is one folder, which its usage includes.
  listing.folders = {{"overlayfs", facts.layer_folders}, {"native", {0}}};
  listing.doubts.insert(listing.doubts.end(), std::move_iterator(facts.doubts.begin()),
                        std::move_iterator(facts.doubts.end()));
}

class ContainerdStore final : public engine::StoreReader {
 public:
  explicit ContainerdStore(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  base::Result<image::Store> Read(engine::FactBook& facts) override {
    const auto plugins = ListPlugins(*connection_);
    if (!plugins.ok()) return plugins.error();
    const auto spaces = ListSpaces(*connection_);
    if (!spaces.ok()) return spaces.error();
    Listing listing;
    listing.spaces.reserve(spaces->size());
    for (const std::string& name : *spaces) {
      auto space = ListSpace(*connection_, name, *plugins, listing.doubts);
      if (!space.ok()) return space.error();
      listing.spaces.push_back(std::move(*space));
    }
    const auto filled = FillUsage(*connection_, listing, facts);
    if (!filled.ok()) return filled.error();
    AddDisk(*plugins, listing);
    return Translate(listing, std::chrono::system_clock::now());
  }

 private:
  std::shared_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<engine::StoreReader> MakeStoreReader(std::shared_ptr<Connection> connection) {
  return std::make_unique<ContainerdStore>(std::move(connection));
}

}  // namespace ebb::containerd
