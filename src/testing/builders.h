// Observations in one line, for tests of pure decisions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "image/observation.h"

namespace ebb::testing {

// An observation grown word by word. Image "a" has the ID "sha256:a" and the tag
// "registry.example/a:1"; containers and sandboxes name images by that short word.
class World {
 public:
  struct ImageOptions {
    base::Bytes size{100};
    std::vector<std::string> layers;  // diff IDs from the base up; empty: unknown
    base::Duration seen_ago = std::chrono::hours(48);
    base::Duration used_ago{};  // 0: never
    bool pinned = false;
  };

  World() {
    seen_.taken_at = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
    seen_.runtime = {.name = "containerd",
                     .version = "1.7.24",
                     .endpoint = "unix:///run/test.sock",
                     .traits = image::TraitsOf("containerd", "1.7.24")};
  }

  static std::string IdOf(std::string_view word) { return "sha256:" + std::string(word); }
  static std::string TagOf(std::string_view word) {
    return "registry.example/" + std::string(word) + ":1";
  }

  World& Image(std::string_view word) { return Image(word, {}); }
  World& Image(std::string_view word, const ImageOptions& options) {
    image::Image image;
    image.id = {IdOf(word)};
    image.tags = {TagOf(word)};
    image.digests = {"registry.example/" + std::string(word) + "@sha256:d" + std::string(word)};
    image.size = options.size;
    image.pinned = options.pinned;
    image.usage.first_seen = seen_.taken_at - options.seen_ago;
    if (options.used_ago > base::Duration{}) {
      image.usage.last_used = seen_.taken_at - options.used_ago;
    }
    seen_.images.push_back(std::move(image));
    chains_.push_back(options.layers.empty() ? image::LayerChain() : options.layers);
    return *this;
  }

  World& Container(std::string_view word,
                   image::ContainerState state = image::ContainerState::kRunning) {
    const std::string number = std::to_string(seen_.containers.size());
    seen_.containers.push_back({.id = "container-" + number,
                                .name = "main",
                                .pod_namespace = "default",
                                .pod_name = "pod-" + number,
                                .state = state,
                                .created_at = seen_.taken_at - std::chrono::hours(1),
                                .image_ref = IdOf(word),
                                .image_name = TagOf(word)});
    return *this;
  }

  World& SandboxImage(std::string_view word) {
    seen_.sandbox_images.push_back(
        {.name = TagOf(word), .source = "configuration", .id = {IdOf(word)}});
    return *this;
  }

  World& Disk(base::Bytes capacity, base::Bytes available) {
    seen_.filesystems.push_back({.holds_images = true,
                                 .holds_containers = true,
                                 .mountpoint = "/var/lib/images",
                                 .path = "/var/lib/images",
                                 .device = "254:0",
                                 .capacity = capacity,
                                 .available = available,
                                 .inodes = 1000,
                                 .inodes_free = 900});
    return *this;
  }

  World& Doubt(std::string_view why) {
    seen_.doubts.emplace_back(why);
    return *this;
  }

  // Layers where any image told them, else sizes as reported.
  image::Observation Build() const {
    image::Observation built = seen_;
    bool any = false;
    for (const image::LayerChain& chain : chains_) any = any || chain.has_value();
    built.store =
        any ? image::MakeLayerGraph(built.images, chains_) : image::MakeReportedGraph(built.images);
    return built;
  }

 private:
  image::Observation seen_;
  std::vector<image::LayerChain> chains_;
};

}  // namespace ebb::testing
