#include "crio/measure.h"

#include <fcntl.h>

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "crio/files.h"
#include "crio/tree.h"

namespace ebb::crio {
namespace {

// How many there are of a kind, and what was the matter with the first.
struct Tally {
  std::size_t count = 0;
  std::string first;

  void Add(const std::string& which) {
    if (count++ == 0) first = which;
  }
};

// Adds what is there; what is not takes nothing.
base::Status AddIfThere(const std::string& path, TreeUsage& sum) {
  const auto usage = MeasureTree(AT_FDCWD, path);
  if (!usage.ok() && usage.error().code == base::ErrorCode::kNotFound) return base::Done{};
  if (!usage.ok()) return usage.error();
  sum.disk += usage->disk;
  sum.mounted = sum.mounted || usage->mounted;
  sum.linked = sum.linked || usage->linked;
  return base::Done{};
}

class Measurer {
 public:
  Measurer(Listing& listing, engine::FactBook& facts) : listing_(listing), facts_(facts) {
    for (const Place& place : listing.places) {
      for (const ContainerEntry& container : place.containers) own_layers_.insert(container.layer);
    }
  }

  void Run() {
    for (Place& place : listing_.places) {
      if (place.additional) continue;
      for (Layer& layer : place.layers) {
        if (!own_layers_.contains(layer.id)) FillLayer(place, layer);
      }
      for (ImageEntry& image : place.images) FillImage(place, image);
      for (Orphan& orphan : place.orphans) FillOrphan(place, orphan);
    }
    std::erase_if(facts_.all.snapshots,
                  [this](const auto& fact) { return !present_.contains(fact.first); });
    TellDoubts();
  }

 private:
  void FillLayer(const Place& place, Layer& layer) {
    const std::string name = LayerName(listing_, place, layer.id);
    layer.disk = Get(name + "@" + layer.created, !layer.incomplete,
                     [&] { return MeasureLayer(place, layer.id); });
  }
  void FillImage(const Place& place, ImageEntry& image) {
    const std::string name = ImageDataName(listing_, place, image.id);
    image.disk = Get(name + "@" + image.version, true, [&]() -> base::Result<TreeUsage> {
      TreeUsage sum;
      const auto added = AddIfThere(place.root + "/overlay-images/" + image.id, sum);
      if (!added.ok()) return added.error();
      return sum;
    });
  }
  void FillOrphan(const Place& place, Orphan& orphan) {
    const std::string name = OrphanName(listing_, place, orphan.id);
    orphan.disk =
        Get(name + "@" + orphan.version, true, [&] { return MeasureLayer(place, orphan.id); });
  }

  // From the facts, or measured and then remembered if it is `final`.
  template <class Ask>
  std::optional<base::Bytes> Get(const std::string& key, bool final, const Ask& ask) {
    present_.insert(key);
    const std::string linked = key + "/linked";
    const auto known = facts_.all.snapshots.find(key);
    if (known != facts_.all.snapshots.end()) {
      if (facts_.all.snapshots.contains(linked)) AddLinked(linked);
      return base::Bytes{known->second};
    }
    const auto usage = ask();
    if (!usage.ok()) {
      unknown_.Add(usage.error().message);
      return std::nullopt;
    }
    const bool keep = final && !usage->mounted;
    if (usage->linked) {
      AddLinked(linked);
      if (keep) facts_.Learn(&engine::Facts::snapshots, linked, std::int64_t{1});
    }
    if (keep) facts_.Learn(&engine::Facts::snapshots, key, usage->disk.count);
    return usage->disk;
  }

  void AddLinked(const std::string& key) {
    present_.insert(key);
    linked_.Add(key.substr(0, key.find('@')));
  }

  // The folder must be there; its short name and its list of files may not be.
  base::Result<TreeUsage> MeasureLayer(const Place& place, const std::string& id) const {
    const std::string home = place.root + "/overlay/";
    auto usage = MeasureTree(AT_FDCWD, home + id);
    if (!usage.ok()) return usage;
    const auto link = ReadFile(home + id + "/link");
    if (link.ok() && !link->empty() && link->find('/') == std::string::npos && *link != "." &&
        *link != "..") {
      if (const auto added = AddIfThere(home + "l/" + *link, *usage); !added.ok()) {
        return added.error();
      }
    }
    for (const Place& other : listing_.places) {
      if (other.additional) continue;
      for (const char* ending : {"", ".tar-split.gz"}) {
        const auto added = AddIfThere(other.root + "/overlay-layers/" + id + ending, *usage);
        if (!added.ok()) return added.error();
      }
    }
    return usage;
  }

  void TellDoubts() {
    if (unknown_.count > 0) {
      listing_.doubts.push_back(base::Count(unknown_.count, "layer") +
                                " could not be measured (the first: " + unknown_.first + ")");
    }
    if (linked_.count > 0) {
      listing_.doubts.push_back(
          base::Count(linked_.count, "layer") +
          " with files that others have as well by hard links (the first: " + linked_.first + ")");
    }
  }

  Listing& listing_;
  engine::FactBook& facts_;
  std::unordered_set<std::string_view> own_layers_;  // of containers
  std::unordered_set<std::string> present_;          // keys of facts
  Tally unknown_;
  Tally linked_;
};

}  // namespace

void Measure(Listing& listing, engine::FactBook& facts) {
  Measurer(listing, facts).Run();
}

}  // namespace ebb::crio
