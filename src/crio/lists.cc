#include "crio/lists.h"

#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "crio/files.h"
#include "crio/records.h"

namespace ebb::crio {
namespace {

constexpr const char* kImages = "/overlay-images/images.json";
constexpr std::array kLayers = {"/overlay-layers/layers.json",
                                "/overlay-layers/volatile-layers.json"};
constexpr std::array kContainers = {"/overlay-containers/containers.json",
                                    "/overlay-containers/volatile-containers.json"};

template <class Entry>
base::Status Append(const std::string& path,
                    base::Result<std::vector<Entry>> (*parse)(std::string_view),
                    std::vector<Entry>& into) {
  const auto text = ReadFile(path);
  if (!text.ok() && text.error().code == base::ErrorCode::kNotFound) return base::Done{};
  if (!text.ok()) return text.error();
  auto entries = parse(*text);
  if (!entries.ok()) return entries.error().In("read " + path);
  into.insert(into.end(), std::move_iterator(entries->begin()), std::move_iterator(entries->end()));
  return base::Done{};
}

// Images before layers: one that is being made has its layers first.
base::Status AppendLists(const std::string& root, Place& place) {
  if (auto done = Append(root + kImages, ParseImages, place.images); !done.ok()) return done;
  for (const char* list : kContainers) {
    if (auto done = Append(root + list, ParseContainers, place.containers); !done.ok()) return done;
  }
  for (const char* list : kLayers) {
    if (auto done = Append(root + list, ParseLayers, place.layers); !done.ok()) return done;
  }
  return base::Done{};
}

base::Status AddOrphans(Listing& listing) {
  std::unordered_set<std::string_view> listed;
  for (const Place& place : listing.places) {
    for (const Layer& layer : place.layers) listed.insert(layer.id);
  }
  for (Place& place : listing.places) {
    if (place.additional) continue;
    auto folders = LayerFolders(place.root + "/overlay");
    if (!folders.ok()) return folders.error().In("no store of the overlay driver");
    for (LayerFolder& folder : *folders) {
      if (listed.contains(folder.id)) continue;
      place.orphans.push_back(
          {.id = std::move(folder.id), .version = std::move(folder.changed), .disk = {}});
    }
  }
  return base::Done{};
}

base::Result<Listing> ReadOnce(const StorageConf& conf, const std::vector<std::string>& roots) {
  Listing listing;
  listing.places.reserve(roots.size() + conf.additionalimagestores.size());
  for (const std::string& root : roots) {
    listing.places.push_back({.root = root});
    const auto done = AppendLists(root, listing.places.back());
    if (!done.ok()) return done.error();
  }
  // What a transient store keeps until the next boot: containers, beside the last of the roots.
  if (const auto done = AppendLists(conf.runroot, listing.places.back()); !done.ok()) {
    return done.error();
  }
  for (const std::string& root : conf.additionalimagestores) {
    listing.places.push_back({.root = root, .additional = true});
    const auto done = AppendLists(root, listing.places.back());
    if (!done.ok()) return done.error();
  }
  if (const auto done = AddOrphans(listing); !done.ok()) return done.error();
  return listing;
}

std::vector<std::string> FilesOf(const StorageConf& conf, std::vector<std::string> roots) {
  roots.push_back(conf.runroot);
  std::vector<std::string> files;
  files.reserve(roots.size() * (1 + kLayers.size() + kContainers.size()));
  for (const std::string& root : roots) {
    files.push_back(root + kImages);
    for (const char* list : kLayers) files.push_back(root + list);
    for (const char* list : kContainers) files.push_back(root + list);
  }
  return files;
}

}  // namespace

base::Result<Listing> ReadLists(const StorageConf& conf, const std::vector<std::string>& roots) {
  const std::vector<std::string> files = FilesOf(conf, roots);
  for (bool again = true;; again = false) {
    const std::string before = StampOf(files);
    auto listing = ReadOnce(conf, roots);
    const bool quiet = StampOf(files) == before;
    if (again && (!quiet || !listing.ok())) continue;
    if (!listing.ok()) return listing;
    if (!quiet) listing->doubts.push_back("the store in " + roots.front() + " keeps changing");
    if (!IsFolder(roots.back() + "/overlay-containers")) {
      listing->doubts.push_back(
          "containers are kept elsewhere: there is no overlay-containers in " + roots.back());
    }
    if (conf.additional_layers) {
      listing->doubts.emplace_back("layers come from additionallayerstores, which are not read");
    }
    return listing;
  }
}

}  // namespace ebb::crio
