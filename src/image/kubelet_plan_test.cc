#include "image/kubelet_plan.h"

#include <gtest/gtest.h>

#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::World;
using Images = std::vector<std::size_t>;

TEST(KubeletPlan, BelievesReportedSizesAndStopsThere) {
  const auto seen = World()
                        .Image("a", {.size = {900}, .layers = {"b", "a"}, .used_ago = hours(9)})
                        .Image("c", {.size = {910}, .layers = {"b", "c"}, .used_ago = hours(8)})
                        .Image("d", {.size = {500}, .layers = {"d"}, .used_ago = hours(7)})
                        .Build();
  const KubeletPlan plan = PlanOfKubelet(seen, {1000});
  EXPECT_EQ(plan.images, (Images{0, 1}));
  EXPECT_EQ(plan.believed.count, 1810);
  EXPECT_EQ(plan.real, seen.store.Freed(Images{0, 1}));
  EXPECT_LT(plan.real, plan.believed);
}

TEST(KubeletPlan, NeverUsedImagesGoFirstAndThenTheLeastRecentlyUsed) {
  const auto seen = World()
                        .Image("recent", {.used_ago = hours(1)})
                        .Image("old", {.used_ago = hours(9)})
                        .Image("unused", {.seen_ago = minutes(2)})
                        .Build();
  EXPECT_EQ(PlanOfKubelet(seen, {1000}).images, (Images{2, 1, 0}));
}

TEST(KubeletPlan, LeavesWhatIsUsedMountedPinnedOrTooYoung) {
  auto seen = World()
                  .Image("used")
                  .Image("mounted")
                  .Image("pinned", {.pinned = true})
                  .Image("young", {.seen_ago = minutes(1)})
                  .Image("pause")
                  .Container("used", ContainerState::kExited)
                  .SandboxImage("pause")
                  .Build();
  seen.containers[0].volume_images = {World::TagOf("mounted")};
  EXPECT_EQ(PlanOfKubelet(seen, {1000}).images, Images{4})
      << "it knows a sandbox image by its pin alone";
}

TEST(KubeletPlan, RemovesNothingWhereNothingIsNeeded) {
  EXPECT_TRUE(PlanOfKubelet(World().Image("a").Build(), {0}).images.empty());
}

}  // namespace
}  // namespace ebb::image
