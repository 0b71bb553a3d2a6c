#include "report/explain.h"

#include <gtest/gtest.h>

#include "report/explanation.h"
#include "report/find.h"
#include "report/golden.h"
#include "report/world.h"

namespace ebb::report {
namespace {

std::string Render(const World& world, std::string_view reference, const Style& style = {}) {
  const auto text = RenderExplain(world.seen, world.policy, world.Plan(), reference, style);
  EXPECT_TRUE(text.ok()) << text.error().message;
  return text.ok() ? *text : "";
}

std::string Refusal(const World& world, std::string_view reference) {
  const auto found = FindImage(world.seen, reference);
  EXPECT_FALSE(found.ok());
  if (found.ok()) return {};
  EXPECT_EQ(found.error().code, base::ErrorCode::kUsage);
  return found.error().message;
}

TEST(Explain, LooksAsItShould) {
  const World world = MakeWorld();
  ExpectGolden("explain_in_use.txt", Render(world, "nginx:1.25"));
  ExpectGolden("explain_removed.txt", Render(world, "ghcr.io/acme/train:v41"));
  ExpectGolden("explain_sandbox.txt", Render(world, "registry.k8s.io/pause:3.9"));
  ExpectGolden("explain_too_young.txt", Render(world, "redis:7"));
  ExpectGolden("explain_rule.txt", Render(world, "localhost:5000/tool:dev"));
  ExpectGolden("explain_volume.json", Render(world, "ghcr.io/acme/train:v42", {Format::kJson}));
}

TEST(Explain, FindsAnImageByTagDigestIdAndBeginningOfItsId) {
  const World world = MakeWorld();
  const std::string id = TestId(5);
  EXPECT_EQ(FindImage(world.seen, "ghcr.io/acme/train:v40").value_or(99), 5U);
  EXPECT_EQ(FindImage(world.seen, "ghcr.io/acme/train@" + TestId(105)).value_or(99), 5U);
  EXPECT_EQ(FindImage(world.seen, id).value_or(99), 5U);
  EXPECT_EQ(FindImage(world.seen, id.substr(7)).value_or(99), 5U);
  EXPECT_EQ(FindImage(world.seen, id.substr(0, 14)).value_or(99), 5U);
  EXPECT_EQ(FindImage(world.seen, id.substr(7, 6)).value_or(99), 5U);
  EXPECT_EQ(FindImage(world.seen, "busybox").value_or(99), 11U);
}

TEST(Explain, RefusesABeginningThatTwoImagesShare) {
  World world = MakeWorld();
  world.seen.images[3].id.value = "sha256:abcdef" + std::string(58, '1');
  world.seen.images[4].id.value = "sha256:abcdef" + std::string(58, '2');
  EXPECT_EQ(Refusal(world, "abcdef"),
            "'abcdef' means more than one image: ghcr.io/acme/train:v41 (abcdef2222222), "
            "ghcr.io/acme/train:v42 (abcdef1111111)");
}

TEST(Explain, SuggestsImagesWithANameLikeTheOneThatIsNotThere) {
  const World world = MakeWorld();
  EXPECT_NE(Refusal(world, "nginx").find("did you mean docker.io/library/nginx:1.24 ("),
            std::string::npos);
  EXPECT_NE(Refusal(world, "ngimx:1.24").find("did you mean docker.io/library/nginx:1.24 ("),
            std::string::npos);
  EXPECT_NE(Refusal(world, "postgres:16").find("`ebb images` lists them"), std::string::npos);
  EXPECT_NE(Refusal(world, "").find("no image on this node is called ''"), std::string::npos);
}

TEST(Explain, KnowsSharedBytesExactlyWhereTheStoreDoes) {
  World world;
  world.seen.images = {{.id = {"a"}}, {.id = {"b"}}, {.id = {"c"}}};
  // Base 1000 is held by all three, 200 by a and b, the rest alone.
  world.seen.store = image::StoreGraph(image::Accounting::kExact, {{1000}, {200}, {10}, {20}, {30}},
                                       {{0, 1, 2}, {0, 1, 3}, {0, 4}});
  const Explanation explanation = ExplainImage(world.seen, world.policy, world.Plan(), 0);
  EXPECT_EQ(explanation.on_disk.count, 1210);
  EXPECT_EQ(explanation.frees_alone.count, 10);
  ASSERT_EQ(explanation.shares.size(), 2U);
  EXPECT_EQ(explanation.shares[0].image, 1U);
  EXPECT_EQ(explanation.shares[0].bytes.count, 1200);
  EXPECT_EQ(explanation.shares[1].bytes.count, 1000);
}

TEST(Explain, KnowsWhatTheKubeletWouldDo) {
  const World world = MakeWorld();
  const auto removes = [&](std::size_t image) {
    return ExplainImage(world.seen, world.policy, world.Plan(), image).kubelet_removes;
  };
  EXPECT_TRUE(removes(0)) << "an unpinned sandbox image";
  EXPECT_FALSE(removes(1)) << "in use";
  EXPECT_FALSE(removes(3)) << "mounted";
  EXPECT_TRUE(removes(8)) << "the kubelet does not know our rules";
  EXPECT_FALSE(removes(9)) << "pinned";
}

TEST(Explain, ListsFewHoldersUnlessAskedForAll) {
  World world = MakeWorld();
  for (int i = 0; i < 6; ++i) {
    image::Container copy = world.seen.containers[0];
    copy.pod_name = "extra-" + std::to_string(i);
    world.seen.containers.push_back(copy);
  }
  EXPECT_NE(Render(world, "nginx:1.25").find("4 more: see -o wide"), std::string::npos);
  EXPECT_NE(Render(world, "nginx:1.25", {Format::kWide}).find("extra-5"), std::string::npos);
}

}  // namespace
}  // namespace ebb::report
