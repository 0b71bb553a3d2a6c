#include "engine/workload.h"

#include <algorithm>

#include "image/reference.h"

namespace ebb::engine {
namespace {

constexpr std::string_view kFromOperator = "configuration";

class WorkloadReader {
 public:
  WorkloadReader(Runtime& runtime, FactBook& facts, image::Observation& seen)
      : runtime_(runtime), facts_(facts), seen_(seen) {}

  void Volumes() {
    if (!seen_.runtime.traits.has_image_volumes) return;
    std::vector<std::string> unknown;
    for (const image::Container& container : seen_.containers) {
      if (!facts_.all.volumes.contains(container.id)) unknown.push_back(container.id);
    }
    if (!unknown.empty()) {
      const auto found = runtime_.VolumesOf(unknown);
      if (!found.ok()) return Doubt("image volumes of containers", found.error());
      for (std::size_t i = 0; i < unknown.size(); ++i) {
        facts_.Learn(&Facts::volumes, unknown[i], (*found)[i]);
      }
    }
    for (image::Container& container : seen_.containers) {
      container.volume_images = facts_.all.volumes[container.id];
    }
  }

  void SandboxImages(const RuntimeFacts& about, const std::vector<std::string>& configured) {
    Add(about.sandbox_image, image::kFromRuntime);
    for (const std::string& name : configured) Add(name, kFromOperator);
    std::vector<std::string> unknown;
    for (const image::Sandbox& sandbox : seen_.sandboxes) {
      if (!facts_.all.sandbox_images.contains(sandbox.id)) unknown.push_back(sandbox.id);
    }
    if (!unknown.empty()) {
      const auto found = runtime_.ImagesOfSandboxes(unknown);
      if (!found.ok()) return Doubt("images of sandboxes", found.error());
      for (std::size_t i = 0; i < unknown.size(); ++i) {
        // Empty is not known, and may be known next time.
        if (!(*found)[i].empty()) facts_.Learn(&Facts::sandbox_images, unknown[i], (*found)[i]);
      }
    }
    for (const image::Sandbox& sandbox : seen_.sandboxes) {
      Add(facts_.all.sandbox_images[sandbox.id], "sandbox " + sandbox.id);
    }
  }

 private:
  // One entry per name; the first source stays. Compared by ID after the runtime resolved it, for
  // the same image may be written in several ways.
  void Add(const std::string& name, std::string_view source) {
    const auto same = [&](const image::SandboxImage& known) { return known.name == name; };
    if (name.empty() || std::ranges::any_of(seen_.sandbox_images, same)) return;
    const auto id = runtime_.Resolve(name);
    if (!id.ok()) return Doubt("sandbox image '" + name + "'", id.error());
    image::SandboxImage found{.name = name, .source = std::string(source), .id = *id};
    for (const image::Image& image : seen_.images) {
      if (found.id.value.empty() && image::Names(name, image)) found.id = image.id;
    }
    seen_.sandbox_images.push_back(std::move(found));
  }

  void Doubt(const std::string& what, const base::Error& error) {
    seen_.doubts.push_back(error.In(what + " could not be read").message);
  }

  Runtime& runtime_;
  FactBook& facts_;
  image::Observation& seen_;
};

}  // namespace

void ReadWorkload(const WorkloadSource& source, const Inventory& inventory, FactBook& facts,
                  image::Observation& seen) {
  seen.containers = inventory.containers;
  seen.sandboxes = inventory.sandboxes;
  seen.sandbox_images.clear();
  seen.doubts.clear();
  WorkloadReader reader(source.runtime, facts, seen);
  reader.Volumes();
  reader.SandboxImages(source.about, source.options.sandbox_images);
}

}  // namespace ebb::engine
