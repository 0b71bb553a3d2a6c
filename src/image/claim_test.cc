#include "image/claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/protection.h"
#include "testing/builders.h"

namespace ebb::image {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

Pod Using(const std::string& image) {
  return {.uid = "u", .config_hash = {}, .pod_namespace = "ns", .name = "web", .images = {image}};
}

std::optional<Shield> ShieldOf(const Observation& seen) {
  return Protect(seen, {}).shields.front();
}

TEST(Claims, APodThatHasNotStartedNeedsItsImageByEveryNameOfIt) {
  for (const std::string& name :
       {std::string("registry.example/a:1"), std::string("registry.example/a@sha256:da"),
        std::string("sha256:a")}) {
    Observation seen = testing::World().Image("a").Build();
    seen.pods.pods = {Using(name)};
    const auto shield = ShieldOf(seen);
    ASSERT_TRUE(shield) << name;
    EXPECT_EQ(shield->reason, Reason::kNeeded);
    EXPECT_EQ(shield->detail, "pod ns/web");
  }
}

TEST(Claims, APodThatHasEndedNeedsNothing) {
  Observation seen = testing::World().Image("a").Build();
  seen.pods.pods = {Using("registry.example/a:1")};
  seen.pods.pods->front().terminated = true;
  EXPECT_FALSE(ShieldOf(seen));
}

TEST(Claims, APodThatIsBeingDeletedHasNotGoneYet) {
  Observation seen = testing::World().Image("a").Build();
  seen.pods.pods = {Using("registry.example/a:1")};
  seen.pods.pods->front().deleted = true;
  EXPECT_TRUE(ShieldOf(seen));
}

TEST(Claims, AnImageThatIsPulledIsKeptByThat) {
  Observation seen = testing::World().Image("a").Image("b").Build();
  seen.pulls = {{"registry.example/b:1", "the kubelet"}};
  EXPECT_FALSE(ShieldOf(seen));
  const auto shield = Protect(seen, {}).shields[1];
  ASSERT_TRUE(shield);
  EXPECT_EQ(shield->reason, Reason::kPulling);
}

// Two images on one layer: record → manifest → configuration and layer.
Store TwoImages() {
  using enum StoreObject::Kind;
  Store store;
  store.objects = {{.kind = kEntry, .name = "k8s.io/manifest-a", .keeps = {1, 4}},
                   {.kind = kEntry, .name = "k8s.io/config-a", .keeps = {}},
                   {.kind = kEntry, .name = "k8s.io/manifest-b", .keeps = {3, 4}},
                   {.kind = kEntry, .name = "k8s.io/config-b", .keeps = {}},
                   {.kind = kEntry, .name = "k8s.io/layer", .keeps = {}}};
  store.roots = {{.space = "k8s.io", .name = "a:1", .keeps = {0}, .pulls = {}},
                 {.space = "k8s.io", .name = "b:1", .keeps = {2}, .pulls = {}}};
  return store;
}

TEST(PullsIn, FindsTheRecordsOfWhatALeaseOrAWriteBelongsTo) {
  Store store = TwoImages();
  EXPECT_THAT(PullsIn(store), IsEmpty());
  store.roots.push_back({.kind = StoreRoot::Kind::kLease,
                         .space = "k8s.io",
                         .name = "17-x",
                         .keeps = {},
                         .pulls = {3}});
  EXPECT_THAT(PullsIn(store), ElementsAre(Field(&Claim::image, "b:1")));
  EXPECT_EQ(PullsIn(store).front().by, "lease 17-x in k8s.io");
}

}  // namespace
}  // namespace ebb::image
