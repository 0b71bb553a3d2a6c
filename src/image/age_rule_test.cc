#include <gtest/gtest.h>

#include "image/plan.h"
#include "testing/builders.h"

namespace ebb::image {
namespace {

using testing::World;

TEST(AgeRule, StandsBeforeTheMaximumAgeAndTakesOnlyItsImages) {
  const auto seen = World()
                        .Disk({1000}, {500})
                        .Image("ci", {.seen_ago = std::chrono::hours(30)})
                        .Image("app", {.seen_ago = std::chrono::hours(30)})
                        .Image("old", {.seen_ago = std::chrono::hours(300)})
                        .Build();
  const auto rule = Pattern::Parse("registry.example/ci");
  ASSERT_TRUE(rule.ok());
  const Plan plan = Decide(
      seen,
      {.max_idle_age = std::chrono::hours(200), .unused_for = {{*rule, std::chrono::hours(24)}}},
      {});
  EXPECT_EQ(plan.removals, 2U);
  for (const Verdict& verdict : plan.verdicts) {
    EXPECT_EQ(verdict.remove, seen.images[verdict.image].id.value != "sha256:app");
  }
}

}  // namespace
}  // namespace ebb::image
