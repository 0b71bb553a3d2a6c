#include "report/status.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>

#include "report/golden.h"
#include "report/world.h"

namespace ebb::report {
namespace {

std::string Render(const World& world, const Style& style = {}) {
  return RenderStatus(world.seen, world.policy, world.Plan(), style);
}

std::int64_t CountLines(const std::string& text) {
  return std::ranges::count(text, '\n');
}

TEST(Status, LooksAsItShould) {
  const World world = MakeWorld();
  ExpectGolden("status.txt", Render(world));
  ExpectGolden("status_wide.txt", Render(world, {.format = Format::kWide}));
  ExpectGolden("status_color.txt", Render(world, {.color = true}));
  ExpectGolden("status.json", Render(world, {.format = Format::kJson}));
  ExpectGolden("status.yaml", Render(world, {.format = Format::kYaml}));
}

TEST(Status, SaysWhatItKnowsOfANodeThatCannotBeRead) {
  World world = MakeWorld();
  world.seen.filesystems.front().problem = "statfs did not answer within 2 seconds";
  world.seen.doubts = {"the list of containers could not be read: deadline exceeded"};
  world.seen.sandbox_images.clear();
  world.seen.images.erase(world.seen.images.begin());
  world.seen.store = image::MakeReportedGraph(world.seen.images);
  ExpectGolden("status_doubt.txt", Render(world));
}

TEST(Status, SaysWhenTheDiskWillBeFullAsItFillsNow) {
  World world = MakeWorld();
  image::Filesystem& disk = world.seen.filesystems.front();
  disk.bytes_per_second = static_cast<double>(disk.available.count) / (51.0 * 3600);
  EXPECT_NE(Render(world).find("available, full in 2d3h as it fills now\n"), std::string::npos);
  EXPECT_NE(Render(world, {.format = Format::kJson}).find("\"fullInSeconds\": 183600"),
            std::string::npos);
  disk.bytes_per_second = -1;
  EXPECT_EQ(Render(world).find("full in"), std::string::npos) << "it empties";
}

TEST(Status, SaysSoIfNothingIsToBeDone) {
  World world = MakeWorld();
  world.seen.filesystems.front().available = {world.seen.filesystems.front().capacity.count / 2};
  EXPECT_NE(Render(world).find("would remove nothing: 50% used is below the high mark 82%"),
            std::string::npos);
}

TEST(Status, SaysSoIfCollectWouldRefuse) {
  World world = MakeWorld();
  world.policy.radius.max_images = 0;
  EXPECT_NE(Render(world).find("would refuse: the plan removes 1 image,"), std::string::npos);
}

TEST(Status, FitsOnOneScreenWhateverGoesWrong) {
  World world = MakeWorld();
  for (int i = 0; i < 5; ++i) {
    image::Filesystem containers = world.seen.filesystems.front();
    containers.mountpoint = "/data/" + std::to_string(i);
    containers.holds_images = i > 2;
    world.seen.filesystems.push_back(containers);
    world.seen.warnings.push_back("warning number " + std::to_string(i));
    world.seen.doubts.push_back("doubt number " + std::to_string(i));
  }
  const std::string text = Render(world);
  EXPECT_LE(CountLines(text), 25);
  EXPECT_NE(text.find("and 4 more filesystems"), std::string::npos);
  EXPECT_NE(text.find("doubt number 0"), std::string::npos);
  const std::string wide = Render(world, {.format = Format::kWide});
  EXPECT_NE(wide.find("/data/4"), std::string::npos);
  EXPECT_NE(wide.find("warning number 4"), std::string::npos);
}

TEST(Status, HasClassesInJsonThatAddUpToAllImages) {
  const World world = MakeWorld();
  const auto document = boost::json::parse(Render(world, {.format = Format::kJson})).as_object();
  std::int64_t bytes = 0;
  std::int64_t images = 0;
  for (const auto& entry : document.at("classes").as_array()) {
    bytes += entry.at("bytes").as_int64();
    images += entry.at("images").to_number<std::int64_t>();
  }
  EXPECT_EQ(bytes, world.seen.store.Total().count);
  EXPECT_EQ(images, static_cast<std::int64_t>(world.seen.images.size()));
}

TEST(Status, GivesMountpointsAsNames) {
  EXPECT_EQ(Render(MakeWorld(), {.format = Format::kName}), "/var/lib/containerd\n");
}

TEST(Status, LetsNoControlCharacterReachTheTerminal) {
  World world = MakeWorld();
  world.seen.runtime.version = "1\x1b[2J";
  world.seen.warnings = {"bad\x07name"};
  world.seen.filesystems.front().mountpoint = "/a\nb";
  const std::string text = Render(world);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("/a?b"), std::string::npos);
}

}  // namespace
}  // namespace ebb::report
