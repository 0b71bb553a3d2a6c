#include "image/repository.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "image/plan.h"
#include "testing/builders.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using testing::World;

Observation ThreeVersions() {
  Observation seen = World()
                         .Image("v1", {.seen_ago = hours(90)})
                         .Image("v2", {.seen_ago = hours(60)})
                         .Image("v3", {.seen_ago = hours(30)})
                         .Image("other", {.seen_ago = hours(99)})
                         .Disk({1000}, {0})
                         .Build();
  for (std::size_t i = 0; i < 3; ++i) {
    seen.images[i].tags = {"r.example:5000/app:" + std::to_string(i)};
    seen.images[i].digests = {"r.example:5000/app@sha256:d" + std::to_string(i)};
  }
  return seen;
}

TEST(Repository, GroupsByTagsAndDigestsEachImageOnce) {
  std::vector<Image> images(3);
  images[0].tags = {"r.example/a:1", "r.example/a:2", "r.example/b:1"};
  images[0].digests = {"r.example/a@sha256:d"};
  images[1].digests = {"r.example/b@sha256:d"};
  images[2].id.value = "sha256:no-name";
  const auto repositories = ByRepository(images);
  ASSERT_EQ(repositories.size(), 2U);
  EXPECT_EQ(repositories[0].name, "r.example/a");
  EXPECT_EQ(repositories[0].images, (std::vector<std::size_t>{0}));
  EXPECT_EQ(repositories[1].images, (std::vector<std::size_t>{0, 1}));
}

TEST(Repository, TheNewestOfEachStayAndSaySo) {
  const Observation seen = ThreeVersions();
  const Plan plan = Decide(seen, {.keep_newest = 2}, {.kind = Target::Kind::kAllUnused});
  ASSERT_EQ(plan.removals, 1U);
  EXPECT_EQ(plan.verdicts[0].image, 0U);
  for (std::size_t v = 1; v < plan.verdicts.size(); ++v) {
    EXPECT_EQ(plan.verdicts[v].reason, Reason::kKeepNewest);
  }
  EXPECT_NE(plan.verdicts[1].detail.find("2 newest of r"), std::string::npos);
}

TEST(Repository, WithoutTheRuleNoneIsKept) {
  EXPECT_EQ(Decide(ThreeVersions(), {}, {.kind = Target::Kind::kAllUnused}).removals, 4U);
}

TEST(Repository, AStrongerReasonIsSaidFirst) {
  Observation seen = ThreeVersions();
  seen.images[2].pinned = true;
  const Plan plan = Decide(seen, {.keep_newest = 1}, {.kind = Target::Kind::kAllUnused});
  const auto pinned = std::ranges::find(plan.verdicts, 2U, &Verdict::image);
  ASSERT_NE(pinned, plan.verdicts.end());
  EXPECT_EQ(pinned->reason, Reason::kPinned);
}

TEST(Repository, WhatCameTogetherIsOrderedByUseAndThenById) {
  std::vector<Image> images(3);
  for (std::size_t i = 0; i < 3; ++i) {
    images[i].id.value = std::string(1, static_cast<char>('c' - i));
    images[i].tags = {"r.example/a:" + std::to_string(i)};
    images[i].usage.first_seen = base::TimePoint(hours(5));
  }
  images[1].usage.last_used = base::TimePoint(hours(9));
  const auto newest = [&](std::size_t count) { return AmongNewest(images, count); };
  EXPECT_EQ(newest(1), (std::vector<std::string_view>{"", "r.example/a", ""}));
  EXPECT_EQ(newest(2), (std::vector<std::string_view>{"", "r.example/a", "r.example/a"}));
}

TEST(KeepNewest, IsGivenUpOnlyAboveTheCriticalMarkAndOnlyForATargetThatNeedsIt) {
  const auto plan_at = [](std::int64_t available, std::int64_t free) {
    const auto seen = testing::World().Image("a").Image("b").Disk({1000}, {available}).Build();
    return Decide(seen, {.min_seen_age = {}, .min_idle_age = {}, .keep_newest = 1},
                  {.kind = Target::Kind::kFreeBytes, .bytes = {free}});
  };
  EXPECT_EQ(plan_at(200, 50).removals, 0U) << "each is the newest of its repository";
  EXPECT_EQ(plan_at(200, 50).conclusion, Conclusion::kNotReached);
  const Plan critical = plan_at(5, 50);
  EXPECT_EQ(critical.removals, 1U);
  EXPECT_EQ(critical.conclusion, Conclusion::kReached);
  ASSERT_FALSE(critical.notes.empty());
  EXPECT_NE(critical.notes.front().find("above the critical mark"), std::string::npos);
}

}  // namespace
}  // namespace ebb::image
