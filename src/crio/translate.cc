#include "crio/translate.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "base/text.h"

namespace ebb::crio {
namespace {

using image::Store;
using image::StoreObject;
using image::StoreRoot;
using Index = StoreObject::Index;

// One sentence for each kind of thing, however many there are.
class Doubts {
 public:
  void Add(const char* noun, const char* what, const std::string& example) {
    auto& [count, first] = found_[{noun, what}];
    if (count++ == 0) first = example;
  }
  void Tell(std::vector<std::string>& sentences) const {
    for (const auto& [kind, found] : found_) {
      sentences.push_back(base::Count(found.first, kind.first) + ": " + kind.second +
                          " (the first: " + found.second + ")");
    }
  }

 private:
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::string>> found_;
};

// The layers of all places, by ID.
class Layers {
 public:
  Layers(const Listing& listing, Store& store, Doubts& doubts)
      : listing_(listing), store_(store), doubts_(doubts) {}

  void Add() {
    own_.resize(listing_.places.size());
    for (std::size_t place = 0; place < listing_.places.size(); ++place) {
      for (const Layer& layer : listing_.places[place].layers) AddObject(place, layer);
    }
    for (std::size_t place = 0; place < listing_.places.size(); ++place) {
      for (const Layer& layer : listing_.places[place].layers) AddParent(place, layer);
    }
    FindCycles();
  }

  // Per layer, which are the first objects of the store: does it belong to somebody else?
  const std::vector<bool>& additional() const { return additional_; }

  // A place's own layer, else any other's; adds it to `kept`.
  void Keep(std::size_t place, const std::string& id, std::vector<Index>& kept) const {
    if (id.empty()) return;
    if (const auto found = own_[place].find(id); found != own_[place].end()) {
      kept.push_back(found->second);
    } else if (const auto other = all_.find(id); other != all_.end()) {
      kept.push_back(other->second);
    } else {
      doubts_.Add("layer", "named, but in no list", id);
    }
  }

 private:
  void AddObject(std::size_t place, const Layer& layer) {
    const Place& at = listing_.places[place];
    const auto index = static_cast<Index>(store_.objects.size());
    if (!own_[place].try_emplace(layer.id, index).second) {
      doubts_.Add("layer", "listed twice", layer.id);
      return;
    }
    all_.try_emplace(layer.id, index);
    additional_.push_back(at.additional);
    StoreObject& object = store_.objects.emplace_back();
    object.kind = StoreObject::Kind::kSnapshot;
    object.name = LayerName(listing_, at, layer.id);
    object.disk = layer.disk.value_or(base::Bytes{});
    object.download = layer.download;
    object.measured = layer.disk.has_value() || at.additional;
    if (layer.incomplete)
      doubts_.Add("layer", "incomplete, so that it may go at any time", layer.id);
    if (!layer.unknown_flag.empty()) {
      doubts_.Add("layer", "with a flag whose meaning is not known", layer.unknown_flag);
    }
  }

  void AddParent(std::size_t place, const Layer& layer) {
    auto& kept = store_.objects[own_[place].at(layer.id)].keeps;
    if (kept.empty()) Keep(place, layer.parent, kept);
  }

  // Each layer is built on at most one other, so that a walk down ends or comes back to itself.
  void FindCycles() const {
    std::vector<std::size_t> seen_by(store_.objects.size());  // the walk that came by, from 1
    for (Index start = 0; start < store_.objects.size(); ++start) {
      const std::size_t walk = std::size_t{start} + 1;
      Index at = start;
      while (seen_by[at] == 0 && !store_.objects[at].keeps.empty()) {
        seen_by[at] = walk;
        at = store_.objects[at].keeps.front();
      }
      if (seen_by[at] == walk) doubts_.Add("layer", "built on itself", store_.objects[at].name);
      if (seen_by[at] == 0) seen_by[at] = walk;
    }
  }

  const Listing& listing_;
  Store& store_;
  Doubts& doubts_;
  std::vector<std::unordered_map<std::string_view, Index>> own_;  // per place
  std::unordered_map<std::string_view, Index> all_;               // the first place that has it
  std::vector<bool> additional_;
};

class Translator {
 public:
  explicit Translator(const Listing& listing)
      : listing_(listing), layers_(listing, store_, doubts_) {}

  Store Run() && {
    Reserve();
    layers_.Add();
    for (std::size_t place = 0; place < listing_.places.size(); ++place) {
      for (const ImageEntry& image : listing_.places[place].images) AddImage(place, image);
      AddOrphans(listing_.places[place]);
    }
    for (std::size_t place = 0; place < listing_.places.size(); ++place) {
      for (const auto& container : listing_.places[place].containers)
        AddContainer(place, container);
    }
    AddUnused();
    store_.unknown = listing_.doubts;
    doubts_.Tell(store_.unknown);
    return std::move(store_);
  }

 private:
  void Reserve() {
    std::size_t objects = 0;
    for (const Place& place : listing_.places) {
      objects += place.layers.size() + place.images.size() + place.orphans.size();
    }
    store_.objects.reserve(objects);
  }

  StoreRoot& AddRoot(StoreRoot::Kind kind, const std::string& name) {
    StoreRoot& root = store_.roots.emplace_back();
    root.kind = kind;
    root.space = "containers";
    root.name = name;
    return root;
  }

  void AddImage(std::size_t place, const ImageEntry& image) {
    const Place& at = listing_.places[place];
    const auto data = static_cast<Index>(store_.objects.size());
    StoreObject& object = store_.objects.emplace_back();
    object.name = ImageDataName(listing_, at, image.id);
    object.disk = image.disk.value_or(base::Bytes{});
    object.measured = image.disk.has_value() || at.additional;
    StoreRoot& root = AddRoot(StoreRoot::Kind::kRecord, image.id);
    root.removable = !at.additional;
    root.keeps = {data};
    layers_.Keep(place, image.top, root.keeps);
    for (const std::string& layer : image.mapped) layers_.Keep(place, layer, root.keeps);
    if (!roots_of_images_.try_emplace(image.id, store_.roots.size() - 1).second && !at.additional) {
      doubts_.Add("image", "listed twice", image.id);
    }
  }

  void AddOrphans(const Place& place) {
    for (const Orphan& orphan : place.orphans) {
      StoreObject& object = store_.objects.emplace_back();
      object.kind = StoreObject::Kind::kSnapshot;
      object.name = OrphanName(listing_, place, orphan.id);
      object.disk = orphan.disk.value_or(base::Bytes{});
      object.measured = orphan.disk.has_value();
    }
  }

  void AddContainer(std::size_t place, const ContainerEntry& container) {
    std::vector<Index> kept;
    layers_.Keep(place, container.layer, kept);
    for (const Index layer : kept) store_.objects[layer].writable = true;
    if (const auto image = roots_of_images_.find(container.image);
        image != roots_of_images_.end()) {
      const auto& of_image = store_.roots[image->second].keeps;
      kept.insert(kept.end(), of_image.begin(), of_image.end());
    }
    AddRoot(StoreRoot::Kind::kContainer, container.id).keeps = std::move(kept);
  }

  // Layers of somebody else's place stay as well, whoever used them here.
  void AddUnused() {
    std::vector<std::size_t> roots(store_.roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = i;
    const std::vector<bool> used = image::Mark(store_, roots);
    for (Index layer = 0; layer < layers_.additional().size(); ++layer) {
      if (used[layer] && !layers_.additional()[layer]) continue;
      AddRoot(StoreRoot::Kind::kOther, store_.objects[layer].name).keeps = {layer};
    }
  }

  const Listing& listing_;
  Store store_;
  Doubts doubts_;
  Layers layers_;
  std::unordered_map<std::string_view, std::size_t> roots_of_images_;  // the first place's
};

std::string NameIn(const Listing& listing, const Place& place, const char* folder,
                   const std::string& id) {
  const bool first = &place == listing.places.data();
  return (first ? "" : place.root + "/") + folder + id;
}

}  // namespace

std::string LayerName(const Listing& listing, const Place& place, const std::string& id) {
  return NameIn(listing, place, "overlay/", id);
}

std::string ImageDataName(const Listing& listing, const Place& place, const std::string& id) {
  return NameIn(listing, place, "overlay-images/", id);
}

std::string OrphanName(const Listing& listing, const Place& place, const std::string& id) {
  return "orphan/" + LayerName(listing, place, id);
}

Store Translate(const Listing& listing) {
  return Translator(listing).Run();
}

}  // namespace ebb::crio
