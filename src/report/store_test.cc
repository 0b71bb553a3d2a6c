#include "report/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/exact_graph.h"
#include "report/df.h"
#include "report/golden.h"
#include "testing/shelf.h"

namespace ebb::report {
namespace {

using image::Reason;
using ::testing::HasSubstr;
using Kind = image::StoreObject::Kind;
using Root = image::StoreRoot::Kind;

constexpr std::int64_t kMi = std::int64_t{1} << 20;

// A runs, B and C are unused on the same base; C is leased, and moby has an image of its own.
image::Observation Seen() {
  testing::Shelf shelf;
  const std::string cri = "k8s.io/overlayfs/sha256:";
  const auto base = shelf.Put(100 * kMi, {}, Kind::kSnapshot, cri + std::string(64, '1'));
  const auto a = shelf.Put(10 * kMi, {base}, Kind::kSnapshot, cri + std::string(64, '2'));
  const auto b = shelf.Put(20 * kMi, {base}, Kind::kSnapshot, cri + std::string(64, '3'));
  const auto c = shelf.Put(30 * kMi, {base}, Kind::kSnapshot, cri + std::string(64, '4'));
  const auto blob = shelf.Put(5 * kMi, {}, Kind::kBlob, "sha256:" + std::string(64, '5'));
  (void)shelf.Put(7 * kMi);
  shelf.Record("sha256:a", {a});
  shelf.Record("sha256:b", {b, blob});
  shelf.Record("sha256:c", {c});
  shelf.Hold(Root::kContainer, {a});
  shelf.store.roots.back().name = "container-1";
  shelf.Hold(Root::kLease, {c});
  image::Observation seen;
  seen.taken_at = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
  shelf.store.roots.back().until = seen.taken_at + std::chrono::minutes(10);
  shelf.store.roots.push_back({.space = "moby", .name = "other:1", .keeps = {blob}});
  seen.images = testing::Listed({"a", "b", "c"});
  seen.containers = {{.id = "container-1",
                      .name = "main",
                      .pod_namespace = "shop",
                      .pod_name = "web-1",
                      .image_ref = "sha256:a"}};
  seen.objects = shelf.store;
  seen.store = image::MakeExactGraph(shelf.store, seen.images).graph;
  return seen;
}

image::Plan PlanOf() {
  image::Plan plan;
  plan.verdicts = {{.image = 1, .remove = true, .reason = Reason::kOverMark},
                   {.image = 2, .reason = Reason::kNotNeeded},
                   {.image = 0, .reason = Reason::kInUse}};
  plan.removals = 1;
  return plan;
}

TEST(Store, LooksAsItShould) {
  const image::Observation seen = Seen();
  ExpectGolden("df.txt", RenderDf(seen, PlanOf(), {}));
  ExpectGolden("df.json", RenderDf(seen, PlanOf(), {.format = Format::kJson}));
  ExpectGolden("layers.txt", RenderLayers(seen, {}).value());
  ExpectGolden("layers.json", RenderLayers(seen, {.format = Format::kJson}).value());
  ExpectGolden("leases.txt", RenderLeases(seen, {}).value());
  ExpectGolden("leases.json", RenderLeases(seen, {.format = Format::kJson}).value());
  ExpectGolden("explain_layer.txt", RenderExplainLayer(seen, PlanOf(), "222222", {}).value());
  ExpectGolden("explain_layer.json",
               RenderExplainLayer(seen, PlanOf(), "333333", {.format = Format::kJson}).value());
}

TEST(Store, ReclaimableIsWhatTheUnusedImagesFreeTogether) {
  const std::string text = RenderDf(Seen(), PlanOf(), {});
  EXPECT_THAT(text, HasSubstr("reclaimable: 20.0 MiB")) << "C is leased, the blob is moby's too";
}

TEST(Store, ALayerGoesOnlyIfEverybodyWhoKeepsItGoes) {
  const image::Observation seen = Seen();
  const auto text = [&](const char* key) {
    return RenderExplainLayer(seen, PlanOf(), key, {}).value();
  };
  EXPECT_THAT(text("333333"), HasSubstr("goes with this plan"));
  EXPECT_THAT(text("555555"), HasSubstr("image record other:1 of moby would have to let go"));
  EXPECT_THAT(text("222222"), HasSubstr("container main of shop/web-1"));
}

TEST(Store, WhereItCouldNotBeReadThatIsSaid) {
  const image::Observation seen;
  EXPECT_THAT(RenderLayers(seen, {}).error().message, HasSubstr("could not be read"));
  EXPECT_FALSE(RenderLeases(seen, {}).ok());
  EXPECT_FALSE(RenderExplainLayer(seen, {}, "222222", {}).ok());
}

}  // namespace
}  // namespace ebb::report
