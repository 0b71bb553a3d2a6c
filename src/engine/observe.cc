#include "engine/observe.h"

#include <algorithm>

#include "engine/claims.h"
#include "engine/records.h"
#include "engine/workload.h"
#include "image/exact_graph.h"
#include "image/fill_rate.h"
#include "image/usage.h"
#include "image/use.h"

namespace ebb::engine {
namespace {

// Bytes on disk per reported byte, where the runtime reports compressed sizes: it keeps the blobs
// beside the unpacked snapshots. Bounded by what compression achieves in practice, so that one
// container that writes much cannot make removable images look larger than they are.
double DiskPerReported(const image::Observation& seen, base::Bytes blobs, base::Bytes snapshots) {
  constexpr double kLeast = 2;  // a snapshot is no smaller than the blob it was unpacked from
  constexpr double kMost = 4;
  if (seen.runtime.traits.size_meaning != image::SizeMeaning::kCompressed) return 1;
  if (blobs.count <= 0) return kLeast;
  const double snapshots_per_blob =
      static_cast<double>(snapshots.count) / static_cast<double>(blobs.count);
  return std::clamp(1 + snapshots_per_blob, kLeast, kMost);
}

class Observer {
 public:
  Observer(const Ports& ports, const ObserveOptions& options) : ports_(ports), options_(options) {}

  base::Result<image::Observation> Take() && {
    auto about = ports_.runtime->Identify();
    if (!about.ok()) return about.error().In("observe");
    auto inventory = ports_.runtime->List();
    if (!inventory.ok()) return inventory.error().In("observe");
    auto storage = ports_.runtime->Storage();
    if (!storage.ok()) return storage.error().In("observe");

    seen_.taken_at = ports_.clock->Now();
    seen_.runtime = about->runtime;
    seen_.images = image::MergeById(inventory->images);
    Remember();
    ReadWorkload({*ports_.runtime, *about, options_}, *inventory, facts_, seen_);
    DoubtTheImages();
    NotePassed();
    FindOurselves();
    ReadGuard();
    Measure(*storage);
    Forecast();
    Store(*storage);
    Claims();
    Age();
    Save(*inventory);
    return std::move(seen_);
  }

 private:
  void Remember() {
    if (ports_.history == nullptr) {
      return Warn("no usage history: every image counts as first seen now");
    }
    auto facts = ports_.history->LoadFacts();
    auto records = ports_.history->Load();
    read_ = facts.ok() && records.ok();
    if (facts.ok()) facts_.all = std::move(*facts);
    if (!records.ok()) return Warn(records.error().In("usage history is not readable").message);
    records_ = std::move(*records);
    const auto setbacks = ports_.history->Setbacks();
    if (!setbacks.ok()) return Warn(setbacks.error().In("usage history is not readable").message);
    for (image::Image& image : seen_.images) {
      const auto at = setbacks->find(image.id.value);
      if (at != setbacks->end()) image.setback = at->second;
    }
  }

  // Images of one runtime beside containers of another would all look unused.
  void DoubtTheImages() {
    if (options_.image_endpoint.empty() || seen_.containers.empty()) return;
    const auto uses = image::ResolveUses(seen_.images, seen_.containers);
    const bool none =
        std::ranges::all_of(uses.by_container, [](const auto& users) { return users.empty(); });
    if (!none) return;
    seen_.doubts.push_back("no container's image is listed at the image endpoint " +
                           options_.image_endpoint + "; it may be another runtime's");
  }

  void NotePassed() {
    for (const image::Container& told : options_.told) {
      const bool there = std::ranges::any_of(
          seen_.containers, [&](const image::Container& c) { return c.id == told.id; });
      const bool sandbox = std::ranges::any_of(
          seen_.sandboxes, [&](const image::Sandbox& s) { return s.id == told.id; });
      if (!there && !sandbox) seen_.passed.push_back(told);
    }
  }

  void FindOurselves() {
    if (options_.own_container.empty()) return;
    const auto uses = image::ResolveUses(seen_.images, seen_.containers);
    for (std::size_t i = 0; i < seen_.images.size(); ++i) {
      const bool ours = std::ranges::any_of(uses.by_container[i], [&](std::size_t c) {
        return seen_.containers[c].id == options_.own_container ||
               seen_.containers[c].sandbox_id == options_.own_container;
      });
      if (ours) seen_.own_image = seen_.images[i].id;
    }
  }

  void ReadGuard() {
    if (ports_.guard == nullptr) return;
    const auto set = ports_.guard->Load();
    if (!set.ok()) return Warn(set.error().In("what is guarded is not known").message);
    for (const image::GuardedImage& guarded : set->images) {
      seen_.guarded.push_back({guarded.id, image::DisplayName(image::ToImage(guarded)),
                               guarded.reason, guarded.detail});
    }
    seen_.guard_stands_by = ports_.guard->SomebodyStandsBy();
  }

  // Paths on one device are one filesystem; a runtime that names none for containers keeps them
  // beside the images.
  void Measure(const std::vector<StoragePath>& storage) {
    const bool apart = std::ranges::any_of(storage, &StoragePath::holds_containers);
    for (const StoragePath& path : storage) {
      image::Filesystem fs = ports_.filesystems->Measure(path.mountpoint);
      fs.holds_images = path.holds_images;
      fs.holds_containers = path.holds_containers || !apart;
      const auto same =
          std::ranges::find_if(seen_.filesystems, [&](const image::Filesystem& known) {
            return !known.device.empty() && known.device == fs.device;
          });
      if (same == seen_.filesystems.end()) {
        if (!fs.problem.empty()) Warn(fs.mountpoint + ": " + fs.problem);
        seen_.filesystems.push_back(std::move(fs));
      } else {
        same->holds_images = same->holds_images || fs.holds_images;
        same->holds_containers = same->holds_containers || fs.holds_containers;
      }
    }
    MeasureNode();
  }

  // What the kubelet calls nodefs; a node without that directory has none.
  void MeasureNode() {
    if (options_.node_path.empty()) return;
    image::Filesystem fs = ports_.filesystems->Measure(options_.node_path);
    if (!fs.measured()) return;
    const auto same = std::ranges::find(seen_.filesystems, fs.device, &image::Filesystem::device);
    if (same != seen_.filesystems.end()) {
      same->holds_node = true;
      return;
    }
    fs.holds_node = true;
    seen_.filesystems.push_back(std::move(fs));
  }

  // What a daemon has recorded; without one there is nothing to go by.
  void Forecast() {
    if (ports_.history == nullptr) return;
    for (image::Filesystem& fs : seen_.filesystems) {
      const auto samples = ports_.history->Samples(
          fs.mountpoint,
          {.since = seen_.taken_at - std::chrono::hours(1), .until = seen_.taken_at});
      if (samples.ok()) fs.bytes_per_second = image::RecordedRate(*samples, seen_.taken_at);
    }
  }

  // Bytes to the last one where the runtime's own store can be read. What it does not tell is in
  // the graph's accounting, and said.
  bool ReadStore() {
    if (ports_.store == nullptr) return false;
    auto objects = ports_.store->Read(facts_);
    if (!objects.ok()) {
      Warn(objects.error().In("bytes are estimated").message);
      return false;
    }
    for (const std::string& unknown : objects->unknown) Warn("bytes are not exact: " + unknown);
    // Layers that nobody can measure would count as nothing: then reported sizes tell more.
    const bool measured = std::ranges::all_of(
        objects->objects, [](const auto& object) { return object.measured || object.writable; });
    if (!measured) return false;
    seen_.store = image::MakeExactGraph(*objects, seen_.images).graph;
    seen_.objects = std::move(*objects);
    return true;
  }

  void Store(const std::vector<StoragePath>& storage) {
    if (ReadStore()) return;
    LookUpLayers();
    std::vector<image::LayerChain> chains;
    for (const image::Image& image : seen_.images) {
      const auto at = facts_.all.layers.find(image.id.value);
      chains.push_back(at == facts_.all.layers.end() ? std::nullopt
                                                     : image::LayerChain(at->second));
    }
    base::Bytes snapshots;
    for (const StoragePath& path : storage) {
      if (path.holds_images) snapshots += path.used;
    }
    const base::Bytes blobs = image::MakeLayerGraph(seen_.images, chains).Total();
    seen_.store =
        image::MakeLayerGraph(seen_.images, chains, DiskPerReported(seen_, blobs, snapshots));
  }

  void LookUpLayers() {
    std::vector<image::ImageId> unknown;
    for (const image::Image& image : seen_.images) {
      if (!image.id.value.empty() && !facts_.all.layers.contains(image.id.value)) {
        unknown.push_back(image.id);
      }
    }
    if (unknown.empty()) return;
    const auto found = ports_.runtime->LayersOf(unknown);
    if (!found.ok()) return Warn(found.error().In("layers are not known").message);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if ((*found)[i]) facts_.Learn(&Facts::layers, unknown[i].value, *(*found)[i]);
    }
  }

  void Age() {
    const auto evidence = ports_.evidence == nullptr ? std::vector<image::Evidence>{}
                                                     : ports_.evidence->Read(seen_.images);
    records_ = image::Advance(std::move(records_), seen_, evidence);
    image::ApplyUsage(records_, seen_.images);
  }

  // A history that cannot be written (the disk is full, that is why we are here) stops nothing. One
  // that could not be read stays as it is: this look alone knows less than it does (P7).
  void Save(const Inventory& inventory) {
    if (ports_.history == nullptr || !read_) return;
    for (const base::Status& saved :
         {ports_.history->Save(records_), ports_.history->SaveFacts(facts_, inventory)}) {
      if (!saved.ok()) return Warn(saved.error().In("usage history is not written").message);
    }
  }

  // After the runtime and its store were read: no new pod is taken for one that is gone.
  void Claims() {
    PodBook mine;
    ReadClaims(ports_, options_.pods == nullptr ? mine : *options_.pods, seen_);
    for (const std::string& source : seen_.pods.not_answered) {
      Warn("pods are not told by the " + source);
    }
  }

  void Warn(std::string warning) { seen_.warnings.push_back(std::move(warning)); }

  const Ports& ports_;
  const ObserveOptions& options_;
  image::Observation seen_;
  FactBook facts_;
  std::vector<image::UsageRecord> records_;
  bool read_ = false;  // what the history holds is known
};

}  // namespace

base::Result<image::Observation> Observe(const Ports& ports, const ObserveOptions& options) {
  return Observer(ports, options).Take();
}

}  // namespace ebb::engine
