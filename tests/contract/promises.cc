#include "contract/promises.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ebb::contract {

void ExpectIdentity(engine::Runtime& runtime) {
  const auto facts = runtime.Identify();
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_FALSE(facts->runtime.name.empty());
  EXPECT_FALSE(facts->runtime.version.empty());
  EXPECT_FALSE(facts->runtime.endpoint.empty());
  const image::RuntimeTraits known = image::TraitsOf(facts->runtime.name, facts->runtime.version);
  EXPECT_EQ(facts->runtime.traits.refuses_images_in_use, known.refuses_images_in_use);
  EXPECT_EQ(facts->runtime.traits.frees_late, known.frees_late);
  EXPECT_EQ(facts->runtime.traits.reports_pinned, known.reports_pinned);
}

void ExpectSoundInventory(engine::Runtime& runtime) {
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok()) << listed.error().message;
  for (const image::Image& image : listed->images) {
    EXPECT_FALSE(image.id.value.empty());
    EXPECT_GE(image.size.count, 0) << image.id.value;
    for (const std::string& tag : image.tags) {
      EXPECT_EQ(tag.find("<none>"), std::string::npos) << tag;
    }
  }
  for (const image::Container& container : listed->containers) {
    EXPECT_FALSE(container.id.empty());
    EXPECT_NE(container.created_at, base::kNever) << container.id;
    EXPECT_TRUE(container.volume_images.empty()) << "VolumesOf() tells these: " << container.id;
  }
  for (const image::Sandbox& sandbox : listed->sandboxes) {
    EXPECT_FALSE(sandbox.id.empty());
    EXPECT_NE(sandbox.created_at, base::kNever) << sandbox.id;
  }
}

void ExpectStoragePaths(engine::Runtime& runtime) {
  const auto paths = runtime.Storage();
  ASSERT_TRUE(paths.ok()) << paths.error().message;
  EXPECT_TRUE(std::ranges::any_of(*paths, &engine::StoragePath::holds_images));
  for (const engine::StoragePath& path : *paths) {
    EXPECT_TRUE(path.mountpoint.starts_with('/')) << path.mountpoint;
    EXPECT_TRUE(path.holds_images || path.holds_containers) << path.mountpoint;
    EXPECT_GE(path.used.count, 0) << path.mountpoint;
  }
}

void ExpectNamesResolve(engine::Runtime& runtime) {
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok()) << listed.error().message;
  for (const image::Image& image : listed->images) {
    std::vector<std::string> names = image.tags;
    names.insert(names.end(), image.digests.begin(), image.digests.end());
    names.push_back(image.id.value);
    for (const std::string& name : names) {
      const auto resolved = runtime.Resolve(name);
      ASSERT_TRUE(resolved.ok()) << resolved.error().message;
      EXPECT_EQ(resolved->value, image.id.value) << name;
    }
  }
  const auto absent = runtime.Resolve("registry.invalid/no-such-image:1");
  ASSERT_TRUE(absent.ok()) << absent.error().message;
  EXPECT_EQ(absent->value, "");
}

void ExpectOneAnswerPerQuestion(engine::Runtime& runtime) {
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok()) << listed.error().message;
  std::vector<image::ImageId> images = {{"sha256:" + std::string(64, '0')}};
  for (const image::Image& image : listed->images) images.push_back(image.id);
  std::vector<std::string> containers = {std::string(64, '0')};
  for (const image::Container& container : listed->containers) containers.push_back(container.id);
  std::vector<std::string> sandboxes = {std::string(64, '0')};
  for (const image::Sandbox& sandbox : listed->sandboxes) sandboxes.push_back(sandbox.id);

  const auto chains = runtime.LayersOf(images);
  ASSERT_TRUE(chains.ok()) << chains.error().message;
  ASSERT_EQ(chains->size(), images.size());
  EXPECT_FALSE(chains->front().has_value()) << "an image that is not there has no layers";
  const auto volumes = runtime.VolumesOf(containers);
  ASSERT_TRUE(volumes.ok()) << volumes.error().message;
  ASSERT_EQ(volumes->size(), containers.size());
  EXPECT_TRUE(volumes->front().empty()) << "a container that is gone mounts nothing";
  const auto names = runtime.ImagesOfSandboxes(sandboxes);
  ASSERT_TRUE(names.ok()) << names.error().message;
  ASSERT_EQ(names->size(), sandboxes.size());
  EXPECT_EQ(names->front(), "") << "nothing is known of a sandbox that is gone";

  EXPECT_EQ(runtime.LayersOf({})->size(), 0);
  EXPECT_EQ(runtime.VolumesOf({})->size(), 0);
  EXPECT_EQ(runtime.ImagesOfSandboxes({})->size(), 0);
}

}  // namespace ebb::contract
