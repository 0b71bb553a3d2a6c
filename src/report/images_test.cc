#include "report/images.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/golden.h"
#include "report/world.h"

namespace ebb::report {
namespace {

ImagesText Render(const World& world, const ImagesOptions& options, const Style& style = {}) {
  const auto result = RenderImages(world.seen, world.policy, world.Plan(), options, style);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? *result : ImagesText{};
}

// Tags of the images that are left, in order.
std::string Left(const ImagesOptions& options) {
  const World world = MakeWorld();
  const std::string ids = Render(world, options, {.format = Format::kName}).text;
  std::string names;
  for (std::size_t at = 0; at < ids.size(); at = ids.find('\n', at) + 1) {
    const std::string id = ids.substr(at, ids.find('\n', at) - at);
    const auto image =
        std::ranges::find(world.seen.images, id, [](const auto& i) { return i.id.value; });
    const std::string name = image->tags.empty() ? "<none>" : image->tags.front();
    names += name.substr(name.rfind('/') + 1) + " ";
  }
  return names;
}

std::string Refusal(const ImagesOptions& options) {
  const World world = MakeWorld();
  const auto result = RenderImages(world.seen, world.policy, world.Plan(), options, {});
  EXPECT_FALSE(result.ok());
  if (result.ok()) return {};
  EXPECT_EQ(result.error().code, base::ErrorCode::kUsage);
  return result.error().message;
}

TEST(Images, LookAsTheyShould) {
  const World world = MakeWorld();
  ExpectGolden("images.txt", Render(world, {}).text);
  ExpectGolden("images_80.txt", Render(world, {}, {.width = 80}).text);
  ExpectGolden("images_wide.txt",
               Render(world, {.sort_by = "reason"}, {.format = Format::kWide}).text);
  ExpectGolden("images.json", Render(world, {}, {.format = Format::kJson}).text);
}

TEST(Images, AreSortedAsAsked) {
  EXPECT_EQ(Left({.sort_by = "size", .filters = {"reference=ghcr.io/acme/train"}}),
            "train:v42 train:v41 train:v40 ");
  EXPECT_EQ(Left({.sort_by = "last-used", .filters = {"reference=ghcr.io/acme/train"}}),
            "train:v40 train:v41 train:v42 ");
  EXPECT_TRUE(Left({.sort_by = "frees"}).starts_with("train:v40 "));
  EXPECT_TRUE(Left({.sort_by = "reason"}).starts_with("nginx:1.25 "));
  EXPECT_TRUE(Left({}).starts_with("busybox:latest nginx:1.24 nginx:1.25 redis:7 "));
}

TEST(Images, AreFilteredByEveryKey) {
  EXPECT_EQ(Left({.filters = {"dangling=true"}}), "<none> ");
  EXPECT_EQ(Left({.filters = {"reference=docker.io/library/nginx"}}), "nginx:1.24 nginx:1.25 ");
  EXPECT_EQ(Left({.filters = {"reason=pinned"}}), "agent:1 ");
  EXPECT_EQ(Left({.filters = {"unused-for=40d", "protected=false"}}), "train:v40 train:v41 ");
  EXPECT_EQ(Left({.filters = {"protected=true", "dangling=false", "reference=*"}}),
            "nginx:1.25 redis:7 api:2.0 ebb:0.1 train:v42 tool:dev agent:1 pause:3.9 ");
}

TEST(Images, CountAnImageInUseAsNeverUnusedWhateverItsHistorySays) {
  World world = MakeWorld();
  world.seen.images[1].usage.last_used = base::kNever;
  const std::string text = Render(world, {.filters = {"unused-for=1h", "reference=nginx"}}).text;
  EXPECT_EQ(text.find("nginx:1.25"), std::string::npos);
  EXPECT_NE(text.find("nginx:1.24"), std::string::npos);
}

TEST(Images, RefuseWhatTheyDoNotKnowAndSayWhatTheyDo) {
  EXPECT_NE(Refusal({.sort_by = "colour"}).find("use name, size, last-used, frees or reason"),
            std::string::npos);
  EXPECT_NE(Refusal({.filters = {"label=x"}}).find("use dangling=true|false, reference=PATTERN"),
            std::string::npos);
  EXPECT_NE(Refusal({.filters = {"dangling"}}).find("must be true or false"), std::string::npos);
  EXPECT_NE(Refusal({.filters = {"protected=yes"}}).find("must be true or false"),
            std::string::npos);
  EXPECT_NE(Refusal({.filters = {"reason=old"}}).find("the codes are in-use image-volume"),
            std::string::npos);
  EXPECT_NE(Refusal({.filters = {"unused-for=soon"}}).find("is not a duration"), std::string::npos);
  EXPECT_NE(Refusal({.filters = {"reference=/(/"}}).find("malformed"), std::string::npos);
}

TEST(Images, SayWhichFilterLeftNothing) {
  const ImagesText result =
      Render(MakeWorld(), {.filters = {"dangling=false", "reference=nginx", "unused-for=99d"}});
  EXPECT_EQ(result.text, "");
  EXPECT_EQ(result.note,
            "no image is left: filter 'unused-for=99d' excludes the last 2 of 13 images");
}

TEST(Images, SayThatThereAreNone) {
  World world = MakeWorld();
  world.seen.images.clear();
  world.seen.containers.clear();
  world.seen.store = {};
  EXPECT_EQ(Render(world, {}).note, "the runtime lists no images");
}

}  // namespace
}  // namespace ebb::report
