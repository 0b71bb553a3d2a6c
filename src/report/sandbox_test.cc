#include "report/sandbox.h"

#include <gtest/gtest.h>

#include "report/world.h"

namespace ebb::report {
namespace {

SandboxState Assess(const World& world) {
  return AssessSandbox(world.seen, world.Plan());
}

TEST(Sandbox, IsExposedWhileItsImageIsNotPinned) {
  const SandboxState state = Assess(MakeWorld());
  EXPECT_EQ(Sentence(state),
            "exposed: registry.k8s.io/pause:3.9 is not pinned, so the kubelet may remove it");
}

TEST(Sandbox, IsSafeFromTheKubeletIfEverySandboxImageIsPinned) {
  World world = MakeWorld();
  world.seen.images[0].pinned = true;
  EXPECT_EQ(Assess(world).safety, SandboxSafety::kPrevented);
}

TEST(Sandbox, IsExposedIfOneOfTwoImagesIsNotPinned) {
  World world = MakeWorld();
  world.seen.images[0].pinned = true;
  world.seen.sandbox_images.push_back({"quay.io/old/pause:1", "sandbox 77", {TestId(2)}});
  const SandboxState state = Assess(world);
  EXPECT_EQ(state.safety, SandboxSafety::kExposed);
  EXPECT_EQ(state.concerned, std::vector<std::string>{"docker.io/library/nginx:1.24"});
}

TEST(Sandbox, IsExposedAlsoIfAnImageIsKnownByItsNameOnly) {
  World world = MakeWorld();
  world.seen.sandbox_images.clear();
  EXPECT_EQ(Assess(world).safety, SandboxSafety::kExposed);
}

TEST(Sandbox, IsMissingIfTheRuntimeHasNotTheImageItIsConfiguredWith) {
  World world = MakeWorld();
  world.seen.sandbox_images.push_back({"registry.k8s.io/pause:3.10", "runtime configuration", {}});
  EXPECT_EQ(Sentence(Assess(world)),
            "missing: registry.k8s.io/pause:3.10 is not on this node: new pods need a registry");
}

TEST(Sandbox, IsNotMissingIfOnlyAnOldSandboxOutlivesItsImage) {
  World world = MakeWorld();
  world.seen.sandbox_images.push_back({"registry.k8s.io/pause:3.1", "sandbox 99", {}});
  EXPECT_EQ(Assess(world).safety, SandboxSafety::kExposed);
}

TEST(Sandbox, IsUnknownIfNothingTells) {
  World world = MakeWorld();
  world.seen.sandbox_images.clear();
  world.seen.images[0].tags = {"example.org/x:1"};
  world.seen.images[0].digests.clear();
  EXPECT_EQ(Assess(world).safety, SandboxSafety::kUnknown);
}

}  // namespace
}  // namespace ebb::report
