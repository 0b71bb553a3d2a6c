// The lists and the configuration of containers/storage, down to what they say comes free.
#include "crio/records.h"
#include "crio/storage_conf.h"
#include "crio/translate.h"
#include "input.h"

namespace {

using ebb::fuzz::Require;

// Whatever names another thing has become part of a path.
void RequireId(std::string_view id) {
  Require(id.find('/') == std::string_view::npos && !id.starts_with('.') &&
              id.find('\0') == std::string_view::npos,
          "an id stays in its folder", id);
}

}  // namespace

// Three lists on a line each, layers, images and containers; the rest is storage.conf.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = ebb::fuzz::Text(data, size);
  ebb::crio::Listing listing;
  auto& place = listing.places.emplace_back();
  if (auto layers = ebb::crio::ParseLayers(ebb::fuzz::TakeUntil('\n', text)); layers.ok()) {
    place.layers = std::move(*layers);
  }
  if (auto images = ebb::crio::ParseImages(ebb::fuzz::TakeUntil('\n', text)); images.ok()) {
    place.images = std::move(*images);
  }
  if (auto all = ebb::crio::ParseContainers(ebb::fuzz::TakeUntil('\n', text)); all.ok()) {
    place.containers = std::move(*all);
  }
  for (const auto& layer : place.layers) RequireId(layer.id);
  for (const auto& image : place.images) RequireId(image.id);
  const auto store = ebb::crio::Translate(listing);
  for (const auto& object : store.objects) {
    for (const auto kept : object.keeps)
      Require(kept < store.objects.size(), "edges lead to objects");
  }
  for (const auto& root : store.roots) {
    for (const auto kept : root.keeps) Require(kept < store.objects.size(), "roots keep objects");
  }
  const auto conf = ebb::crio::ParseStorageConf(text);
  if (conf.ok()) Require(!ebb::crio::RootsOf(*conf, {}).empty(), "there is a root");
  return 0;
}
