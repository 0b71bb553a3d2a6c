// A FakeNode seen through the engine's ports, with faults on demand.
#pragma once

#include <functional>
#include <map>

#include "testing/fake_node.h"

namespace ebb::testing {

class FakeRuntime : public engine::Runtime, public engine::Remover {
 public:
  enum class Method {
    kIdentify,
    kList,
    kStorage,
    kResolve,
    kLayersOf,
    kImagesOfSandboxes,
    kVolumesOf,
    kRemove,  // each image counts as one call
  };

  explicit FakeRuntime(FakeNode& node) : node_(node) {}

  // The next `times` calls of `method` answer `error`.
  void Fail(Method method, base::Error error, int times = 1);
  int calls(Method method) const;
  // Says of each removal whether the runtime finds no room on its disk to write it down.
  std::function<bool()> finds_no_room;

  base::Result<engine::RuntimeFacts> Identify() override;
  base::Result<engine::Inventory> List() override;
  base::Result<std::vector<engine::StoragePath>> Storage() override;
  base::Result<image::ImageId> Resolve(std::string_view name) override;
  base::Result<std::vector<image::LayerChain>> LayersOf(
      std::span<const image::ImageId> ids) override;
  base::Result<std::vector<std::string>> ImagesOfSandboxes(
      std::span<const std::string> sandbox_ids) override;
  base::Result<std::vector<std::vector<std::string>>> VolumesOf(
      std::span<const std::string> container_ids) override;
  std::vector<engine::RemovalResult> Remove(std::span<const engine::Victim> victims) override;

 private:
  struct Fault {
    base::Error error;
    int times = 0;
  };
  base::Status Enter(Method method);
  engine::RemovalResult RemoveOne(const engine::Victim& victim);

  FakeNode& node_;
  std::map<Method, Fault> faults_;
  std::map<Method, int> calls_;
};

// Measures the disk of a FakeNode at the paths its profile names.
class FakeDisk : public engine::Filesystems {
 public:
  explicit FakeDisk(const FakeNode& node) : node_(node) {}

  // Last word on every measurement: capacity 0, more available than there is, a problem, ...
  std::function<void(image::Filesystem&)> after_measure;

  image::Filesystem Measure(const std::string& path) override;

 private:
  const FakeNode& node_;
};

}  // namespace ebb::testing
