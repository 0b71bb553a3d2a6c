// What a containers/storage store lists, as plain values: its own words, none of its rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace ebb::crio {

// One unpacked layer, an image's or a container's.
struct Layer {
  std::string id;
  std::string parent;               // empty: a base
  std::string created;              // only to be compared: an ID may come back with other content
  base::Bytes download;             // 0: not known
  bool incomplete = false;          // being unpacked, or left by somebody who was killed
  std::string unknown_flag;         // one that is set and that nobody here knows; empty: none
  std::optional<base::Bytes> disk;  // nullopt: not measured
};

struct ImageEntry {
  std::string id;
  std::string top;                  // its uppermost layer; empty: it has none
  std::vector<std::string> mapped;  // copies of `top` for other user IDs
  std::string version;              // differs when its own data does
  std::optional<base::Bytes> disk;  // of its own data: manifest, configuration, signatures
};

// Of whichever program: podman and buildah keep theirs in the same store.
struct ContainerEntry {
  std::string id;
  std::string image;
  std::string layer;
};

// A layer's folder that no list names.
struct Orphan {
  std::string id;
  std::string version;  // differs when the folder itself was changed
  std::optional<base::Bytes> disk;
};

// One root folder of the store.
struct Place {
  std::string root;
  bool additional = false;  // read-only: nothing here is ever removed, and nothing is measured
  std::vector<Layer> layers;
  std::vector<ImageEntry> images;
  std::vector<ContainerEntry> containers;
  std::vector<Orphan> orphans;
};

struct Listing {
  std::vector<Place> places;
  // Sentences about what could not be read or measured.
  std::vector<std::string> doubts;
};

// Names of the objects in image::Store, and of what is remembered about them. The first place's
// are short; those of others begin with their root, for the same layer may be in several.
std::string LayerName(const Listing& listing, const Place& place, const std::string& id);
std::string ImageDataName(const Listing& listing, const Place& place, const std::string& id);
std::string OrphanName(const Listing& listing, const Place& place, const std::string& id);

}  // namespace ebb::crio
