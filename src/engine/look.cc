#include "engine/look.h"

#include <unordered_map>

#include "engine/workload.h"

namespace ebb::engine {

base::Result<Look> Looker::Again() {
  if (!about_) {
    auto about = ports_.runtime->Identify();
    if (!about.ok()) return about.error().In("look again");
    about_ = std::move(*about);
    // Facts never change for an ID, so what history remembers saves asking once more.
    if (ports_.history != nullptr) {
      if (auto facts = ports_.history->LoadFacts(); facts.ok()) facts_.all = std::move(*facts);
    }
  }
  const auto inventory = ports_.runtime->List();
  if (!inventory.ok()) return inventory.error().In("look again");

  image::Observation now = seen_;
  std::unordered_map<image::ImageId, bool> pinned;
  Look look;
  for (const image::Image& image : inventory->images) {
    look.listed.insert(image.id);
    pinned[image.id] = pinned[image.id] || image.pinned;
  }
  for (image::Image& image : now.images) image.pinned = image.pinned || pinned[image.id];
  ReadWorkload({*ports_.runtime, *about_, options_}, *inventory, facts_, now);
  pods().Expire();
  ReadClaims(ports_, pods(), now);
  look.protection = image::Protect(now, {.min_seen_age = {}, .min_idle_age = {}});
  Remember(look);
  return look;
}

void Looker::Remember(Look& look) {
  shields_.resize(seen_.images.size());
  for (std::size_t i = 0; i < shields_.size(); ++i) {
    if (!shields_[i]) shields_[i] = look.protection.shields[i];
    const image::ImageId& id = seen_.images[i].id;
    if (!look.listed.contains(id)) gone_.insert(id);
    if (gone_.contains(id)) look.listed.erase(id);
  }
  look.protection.shields = shields_;
}

}  // namespace ebb::engine
