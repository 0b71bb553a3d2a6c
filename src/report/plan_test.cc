#include "report/plan.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "report/golden.h"
#include "report/world.h"

namespace ebb::report {
namespace {

using image::Target;

std::string Render(const World& world, const Target& target, const Style& style = {}) {
  return RenderPlan(world.seen, world.policy, world.Plan(target), style);
}

const Target kTo40{.kind = Target::Kind::kUsedPercent, .percent = {40}};
const Target kTo65{.kind = Target::Kind::kUsedPercent, .percent = {65}};

TEST(Plan, LooksAsItShould) {
  const World world = MakeWorld();
  ExpectGolden("plan.txt", Render(world, {}));
  ExpectGolden("plan_to_65.txt", Render(world, kTo65));
  ExpectGolden("plan_wide.txt", Render(world, kTo65, {.format = Format::kWide}));
  ExpectGolden("plan.json", Render(world, kTo65, {.format = Format::kJson}));
  ExpectGolden("plan.yaml", Render(world, kTo65, {.format = Format::kYaml}));
}

TEST(Plan, SaysThatATargetIsOutOfReach) {
  ExpectGolden("plan_out_of_reach.txt", Render(MakeWorld(), kTo40));
}

TEST(Plan, SaysThatItTrustsNothing) {
  World world = MakeWorld();
  world.seen.doubts = {"the list of containers could not be read: deadline exceeded"};
  ExpectGolden("plan_in_doubt.txt", Render(world, {}));
}

TEST(Plan, SaysThatAgeEmptiedIt) {
  World world = MakeWorld();
  world.policy.min_seen_age = std::chrono::hours(24 * 365);
  const std::string text = Render(world, {});
  EXPECT_NE(text.find("would remove nothing, though 819.2 MiB are needed"), std::string::npos);
  EXPECT_NE(text.find("--min-age 0s"), std::string::npos) << text;
}

TEST(Plan, NamesTheLimitThatCollectWouldRefuseBy) {
  World world = MakeWorld();
  world.policy.radius.max_images = 0;
  EXPECT_NE(Render(world, {}).find("raise it with --max-images"), std::string::npos);
}

TEST(Plan, GivesFullIdsOfTheRemovalsAsNames) {
  const World world = MakeWorld();
  const image::Plan plan = world.Plan();
  ASSERT_EQ(plan.removals, 1U);
  EXPECT_EQ(Render(world, {}, {.format = Format::kName}),
            world.seen.images[plan.verdicts[0].image].id.value + "\n");
}

TEST(Plan, ListsEveryImageOnceInJsonAndItsBytesAddUpToThePrediction) {
  const World world = MakeWorld();
  for (const Target& target : {Target{}, kTo65, kTo40, Target{.kind = Target::Kind::kAllUnused}}) {
    const auto document =
        boost::json::parse(Render(world, target, {.format = Format::kJson})).as_object();
    std::multiset<std::string> listed;
    std::int64_t bytes = 0;
    for (const auto& item : document.at("removals").as_array()) {
      listed.emplace(item.at("id").as_string());
      bytes += item.at("freesBytes").as_int64();
      EXPECT_EQ(item.at("totalBytes").as_int64(), bytes);
    }
    for (const auto& item : document.at("kept").as_array())
      listed.emplace(item.at("id").as_string());
    std::multiset<std::string> wanted;
    for (const image::Image& image : world.seen.images) wanted.insert(image.id.value);
    EXPECT_EQ(listed, wanted);
    EXPECT_EQ(bytes, document.at("predictedBytes").as_int64());
  }
}

}  // namespace
}  // namespace ebb::report
