#include "image/family.h"

#include <gtest/gtest.h>

#include "image/plan.h"
#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using testing::World;
using Images = std::vector<std::size_t>;

Target Free(std::int64_t bytes) {
  return {.kind = Target::Kind::kFreeBytes, .bytes = {bytes}};
}

// Three children of a base, each worth little alone, beside one image that is asked for as often.
World BaseAndChildren() {
  World world;
  for (const auto* child : {"a", "b", "c"}) {
    world.Image(child, {.size = {1010}, .layers = {"base", child}, .seen_ago = hours(100)});
  }
  world.Image("base", {.size = {1000}, .layers = {"base"}, .seen_ago = hours(100)});
  return world.Image("other", {.size = {1100}, .layers = {"other"}, .seen_ago = hours(2)})
      .Disk({10000}, {0});
}

TEST(Family, ABaseGoesWithAllThatStandOnItWhereNoImageAloneIsWorthIt) {
  const Observation seen = BaseAndChildren().Build();
  const Plan plan = Decide(seen, {}, Free(1025));
  ASSERT_EQ(plan.removals, 4U);
  ASSERT_EQ(plan.families.size(), 1U);
  EXPECT_EQ(plan.families[0].label, World::TagOf("base"));
  EXPECT_EQ(plan.families[0].images, 4U);
  EXPECT_EQ(plan.families[0].frees.count, 1030);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(plan.verdicts[v].family, std::size_t{0});
  EXPECT_EQ(plan.verdicts[4].family, std::nullopt);
  EXPECT_EQ(plan.overshoot.count, 5);
  ASSERT_TRUE(plan.proved_within.has_value());
  EXPECT_EQ(plan.policy, RemovalPolicy::kReuse);
}

TEST(Family, AProtectedChildKeepsTheBaseAndThenAnotherGoes) {
  const Observation seen = BaseAndChildren().Container("b").Build();
  const Plan plan = Decide(seen, {}, Free(1025));
  ASSERT_EQ(plan.removals, 1U);
  EXPECT_EQ(seen.images[plan.verdicts[0].image].id.value, World::IdOf("other"));
  EXPECT_EQ(plan.families.at(0).label, "alone");
}

TEST(Family, LeastRecentlyUsedProvesNothingAndHasNoFamilies) {
  const Observation seen = BaseAndChildren().Build();
  const Plan plan = Decide(seen, {.removal = RemovalPolicy::kLru}, Free(1025));
  EXPECT_EQ(plan.removals, 4U);
  EXPECT_TRUE(plan.families.empty());
  EXPECT_EQ(plan.proved_within, std::nullopt);
  EXPECT_EQ(plan.policy, RemovalPolicy::kLru);
  const Plan beyond = Decide(seen, {.removal = RemovalPolicy::kLru}, Free(1'000'000));
  EXPECT_EQ(beyond.conclusion, Conclusion::kNotReached);
}

TEST(Family, ASupersededImageGoesBeforeAnOlderOneAndThePlanSaysByWhich) {
  Observation seen = World()
                         .Image("old", {.seen_ago = hours(60), .used_ago = hours(30)})
                         .Image("v1", {.seen_ago = hours(60), .used_ago = hours(20)})
                         .Image("v2", {.seen_ago = hours(10)})
                         .Disk({1000}, {0})
                         .Build();
  seen.images[1].tags = {"registry.example/app:1"};
  seen.images[2].tags = {"registry.example/app:2"};
  const Plan plan = Decide(seen, {}, Free(100));
  ASSERT_EQ(plan.removals, 1U);
  EXPECT_EQ(plan.verdicts[0].image, 1U);
  EXPECT_EQ(plan.verdicts[0].superseded_by, std::size_t{2});
  const Plan lru = Decide(seen, {.removal = RemovalPolicy::kLru}, Free(100));
  EXPECT_EQ(lru.verdicts.at(0).image, 0U);
}

TEST(Family, AnImageThatIsStartedOftenOutlivesOneThatIsNot) {
  Observation seen = World()
                         .Image("cron", {.used_ago = hours(20)})
                         .Image("once", {.used_ago = hours(10)})
                         .Disk({1000}, {0})
                         .Build();
  seen.images[0].usage.starts = 12;
  seen.images[0].usage.recent_starts = 6;
  seen.images[0].usage.last_start = seen.taken_at - hours(20);
  const auto first = [&](RemovalPolicy policy) {
    return Decide(seen, {.removal = policy}, Free(100)).verdicts.at(0).image;
  };
  EXPECT_EQ(first(RemovalPolicy::kReuse), 1U);
  EXPECT_EQ(first(RemovalPolicy::kBytes), 1U);
  EXPECT_EQ(first(RemovalPolicy::kIdle), 0U);
  EXPECT_EQ(first(RemovalPolicy::kLru), 0U);
}

TEST(Family, ThePoliciesWordsAreReadBack) {
  for (const auto policy :
       {RemovalPolicy::kReuse, RemovalPolicy::kIdle, RemovalPolicy::kLru, RemovalPolicy::kBytes}) {
    EXPECT_EQ(ParseRemovalPolicy(Code(policy)), policy);
  }
  EXPECT_EQ(ParseRemovalPolicy("fifo"), std::nullopt);
}

TEST(Family, TheRateIsTheOneTheManualGives) {
  const auto now = World().Build().taken_at;
  Image image;
  image.usage = {.last_used = now - hours(9), .last_start = now, .recent_starts = 1.7};
  EXPECT_DOUBLE_EQ(ReuseRate(image, now, false, RemovalPolicy::kReuse), 0.1);
  EXPECT_DOUBLE_EQ(ReuseRate(image, now, true, RemovalPolicy::kReuse), 0.01);
  EXPECT_DOUBLE_EQ(ReuseRate(image, now, false, RemovalPolicy::kIdle), 0.1);
}

TEST(Family, NothingToFreeNeedsNothingAndTooMuchIsSaid) {
  const Observation seen = BaseAndChildren().Build();
  EXPECT_EQ(Decide(seen, {}, Free(0)).removals, 0U);
  const Plan plan = Decide(seen, {}, Free(1'000'000));
  EXPECT_EQ(plan.conclusion, Conclusion::kNotReached);
  EXPECT_EQ(plan.proved_within, std::nullopt);
  EXPECT_EQ(plan.overshoot.count, 0);
}

TEST(Family, IsCalledByItsRepositoryIfNoImageIsTheBase) {
  std::vector<Image> images(3);
  images[0].tags = {"r.example/app:1"};
  images[1].tags = {"r.example/app:2"};
  images[2].tags = {"r.example/web:1"};
  EXPECT_EQ(FamilyLabel(images, {.images = {0, 1}}), "r.example/app");
  EXPECT_EQ(FamilyLabel(images, {.images = {0, 2}}), "2 on one base");
  EXPECT_EQ(FamilyLabel(images, {.images = {0, 2}, .base = 2}), "r.example/web:1");
  EXPECT_EQ(FamilyLabel(images, {.images = {2}, .base = 2}), "alone");
}

// Bytes that no single image holds alone: each pair shares, all three together free everything.
TEST(Family, SharingThatDoesNotNestIsPlannedByTrueBytes) {
  const StoreGraph store(Accounting::kExact, {{100}, {100}, {100}}, {{0, 1}, {1, 2}, {0, 2}});
  const Costs costs{.image = {1, 1, 1}, .piece = {1, 1, 1}};
  const Images all = {0, 1, 2};
  const Choice two = ChooseFamilies({store, costs, {}, all, {100}});
  EXPECT_EQ(two.removals.size(), 2U);
  EXPECT_LE(two.bound, two.cost);
  EXPECT_EQ(ChooseFamilies({store, costs, {}, all, {101}}).removals.size(), 3U);
  EXPECT_NEAR(ChooseFamilies({store, costs, {}, all, {300}}).bound, 6, 1e-6) << "parts add up";
  EXPECT_TRUE(ChooseFamilies({store, costs, {}, all, {301}}).removals.empty());
}

}  // namespace
}  // namespace ebb::image
