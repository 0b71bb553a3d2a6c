// What a runtime stores in one line, for tests of pure decisions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "image/image.h"
#include "image/store.h"

namespace ebb::testing {

// A store grown object by object; names of objects are their numbers unless given.
struct Shelf {
  using Index = image::StoreObject::Index;

  image::Store store;

  Index Put(std::int64_t disk, std::vector<Index> keeps = {},
            image::StoreObject::Kind kind = image::StoreObject::Kind::kBlob,
            std::string name = {}) {
    const auto at = static_cast<Index>(store.objects.size());
    if (name.empty()) name = std::to_string(at);
    store.objects.push_back({.kind = kind,
                             .name = std::move(name),
                             .disk = {disk},
                             .download = {disk / 4},
                             .keeps = std::move(keeps)});
    return at;
  }
  void Record(std::string name, std::vector<Index> keeps) {
    store.roots.push_back(
        {.space = "k8s.io", .name = std::move(name), .keeps = std::move(keeps), .removable = true});
  }
  void Hold(image::StoreRoot::Kind kind, std::vector<Index> keeps) {
    store.roots.push_back(
        {.kind = kind, .space = "k8s.io", .name = "holder", .keeps = std::move(keeps)});
  }
};

inline std::vector<image::Image> Listed(const std::vector<std::string>& words) {
  std::vector<image::Image> images;
  images.reserve(words.size());
  for (const std::string& word : words) {
    const std::string name = "r.example/" + word;
    images.push_back({.id = {"sha256:" + word},
                      .tags = {name + ":1"},
                      .digests = {std::string(name).append("@sha256:d").append(word)}});
  }
  return images;
}

}  // namespace ebb::testing
