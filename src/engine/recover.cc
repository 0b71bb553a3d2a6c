#include "engine/recover.h"

#include <algorithm>
#include <utility>

#include "engine/workload.h"
#include "image/protection.h"

namespace ebb::engine {
namespace {

using image::Image;

// Some names of a held image are gone and some are not: its removal stopped between two of them.
bool HalfGone(const Image& held, const std::vector<Image>& listed) {
  const auto now = std::ranges::find(listed, held.id, &Image::id);
  if (now == listed.end()) return false;
  const auto lacks = [](const std::vector<std::string>& names) {
    return
        [&names](const std::string& name) { return std::ranges::find(names, name) == names.end(); };
  };
  return std::ranges::any_of(held.tags, lacks(now->tags)) ||
         std::ranges::any_of(held.digests, lacks(now->digests));
}

class Recovery {
 public:
  Recovery(const Ports& ports, const ObserveOptions& options) : ports_(ports), options_(options) {}

  base::Result<std::vector<std::string>> Run() && {
    auto left = ports_.holder->Leftovers();
    if (!left.ok()) return left.error();
    for (const auto& hold : *left) {
      auto completed = Complete(*hold);
      if (!completed.ok()) return completed.error();
    }
    return std::move(told_);
  }

 private:
  base::Status Complete(Hold& hold) {
    auto ids = ToBringBack(hold.images());
    if (!ids.ok()) return ids.error();
    if (!ids->empty()) {
      if (auto restored = hold.Restore(*ids); !restored.ok()) return restored;
    }
    return hold.Release();
  }

  // What cannot be looked up counts as used: then everything comes back.
  base::Result<std::vector<image::ImageId>> ToBringBack(const std::vector<Image>& held) {
    const auto about = ports_.runtime->Identify();
    if (!about.ok()) return about.error();
    const auto inventory = ports_.runtime->List();
    if (!inventory.ok()) return inventory.error();
    image::Observation now;
    now.runtime = about->runtime;
    now.images = held;
    FactBook facts;
    ReadWorkload({*ports_.runtime, *about, options_}, *inventory, facts, now);
    const auto protection = image::Protect(now, {.min_seen_age = {}, .min_idle_age = {}});
    std::vector<image::ImageId> ids;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const bool missing =
          std::ranges::find(inventory->images, held[i].id, &Image::id) == inventory->images.end();
      const bool used = protection.shields[i].has_value() || !protection.doubts.empty();
      if (!(missing && used) && !HalfGone(held[i], inventory->images)) continue;
      ids.push_back(held[i].id);
      const auto& shield = protection.shields[i];
      told_.push_back(DisplayName(held[i]) + " was brought back: its removal had been interrupted" +
                      (shield ? ", and " + shield->detail + " uses it" : ""));
    }
    return ids;
  }

  const Ports& ports_;
  const ObserveOptions& options_;
  std::vector<std::string> told_;
};

}  // namespace

base::Result<std::vector<std::string>> CompleteLeftovers(const Ports& ports,
                                                         const ObserveOptions& options) {
  if (ports.holder == nullptr) return std::vector<std::string>{};
  auto told = Recovery(ports, options).Run();
  if (!told.ok()) return told.error().In("an interrupted run could not be completed");
  return told;
}

}  // namespace ebb::engine
