#include "graph/preview.h"

#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

World Of(std::vector<Object> objects) {
  World world{.objects = std::move(objects), .kinds = {}};
  for (const char* kind : {"Pod", "Secret", "ConfigMap", "ReplicationController"}) {
    world.kinds.Serve("v1", kind, true);
  }
  world.kinds.Serve("v1", "Node", false);
  for (const char* kind : {"Deployment", "ReplicaSet"}) world.kinds.Serve("apps/v1", kind, true);
  return world;
}

struct Rollout {
  Object deployment = graph::Of("apps/v1", "Deployment", "web");
  Object set = OwnedBy(graph::Of("apps/v1", "ReplicaSet", "web-1"), {To(deployment)});
  Object pod = OwnedBy(Pod("web-1-a"), {To(set)});
  World world() const { return Of({pod, set, deployment}); }
};

std::vector<std::string> Waves(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> waves;
  waves.reserve(outcomes.size());
  for (const Outcome& outcome : outcomes) {
    waves.push_back(outcome.object.id.name + " " + std::string(Code(outcome.fate)) + " " +
                    std::to_string(outcome.wave));
  }
  return waves;
}

TEST(Preview, InTheBackgroundTheOwnerGoesFirst) {
  const Rollout rollout;
  EXPECT_THAT(Waves(PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kBackground)),
              ElementsAre("web deleted 1", "web-1 deleted 2", "web-1-a deleted 3"));
}

TEST(Preview, InTheForegroundTheOwnerGoesLastAndWhoBlocksItIsMarked) {
  const Rollout rollout;
  const auto outcomes = PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kForeground);
  EXPECT_THAT(Waves(outcomes),
              ElementsAre("web deleted 3", "web-1 deleted 2", "web-1-a deleted 1"));
  EXPECT_FALSE(outcomes[0].blocks);
  EXPECT_TRUE(outcomes[1].blocks);
  EXPECT_TRUE(outcomes[2].blocks);
}

// What most people believe of it is wrong.
TEST(Preview, OrphanKeepsTheDependents) {
  const Rollout rollout;
  EXPECT_THAT(Waves(PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kOrphan)),
              ElementsAre("web deleted 1", "web-1 released 0", "web-1-a untouched 0"));
}

TEST(Preview, AnotherOwnerKeepsAnObjectAndIsNamed) {
  Rollout rollout;
  const Object other = graph::Of("apps/v1", "ReplicaSet", "other");
  rollout.pod.owners.push_back(To(other));
  World world = rollout.world();
  world.objects.push_back(other);
  const auto outcomes = PreviewDelete(world, rollout.deployment.id, Policy::kBackground);
  EXPECT_EQ(outcomes[2].fate, Fate::kReleased);
  EXPECT_THAT(outcomes[2].kept_by, ElementsAre(other.id));
}

TEST(Preview, AFinalizerOfSomebodyElseKeepsEverythingBelowInTheBackground) {
  Rollout rollout;
  rollout.deployment.finalizers = {"x/y"};
  const auto outcomes = PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kBackground);
  EXPECT_EQ(outcomes[0].fate, Fate::kStuck);
  EXPECT_THAT(outcomes[0].finalizers, ElementsAre("x/y"));
  EXPECT_EQ(outcomes[1].fate, Fate::kUntouched);
}

TEST(Preview, InTheForegroundADependentWithAFinalizerHoldsUpItsOwners) {
  Rollout rollout;
  rollout.pod.finalizers = {"x/y"};
  const auto outcomes = PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kForeground);
  EXPECT_EQ(outcomes[0].fate, Fate::kStuck);
  EXPECT_THAT(outcomes[0].waits_for, ElementsAre(rollout.set.id));
  EXPECT_THAT(outcomes[0].finalizers, IsEmpty());
  EXPECT_THAT(outcomes[1].waits_for, ElementsAre(rollout.pod.id));
  EXPECT_THAT(outcomes[2].finalizers, ElementsAre("x/y"));
}

TEST(Preview, WhatIsGarbageTodayIsNotBlamedOnTheDeletion) {
  Rollout rollout;
  OwnerReference wrong = To(rollout.deployment);
  wrong.kind = "ReplicaSet";
  const Object bad = OwnedBy(Pod("bad"), {wrong});
  World world = rollout.world();
  world.objects.push_back(bad);
  const auto outcomes = PreviewDelete(world, rollout.deployment.id, Policy::kBackground);
  EXPECT_THAT(Waves(outcomes), ElementsAre("web deleted 1", "web-1 deleted 2", "bad garbage 0",
                                           "web-1-a deleted 3"));
}

TEST(Preview, AKindThatIsNotServedLeavesItUndecided) {
  Rollout rollout;
  rollout.pod.owners.push_back(To(graph::Of("acme.dev/v1", "Widget", "w")));
  const auto outcomes = PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kBackground);
  EXPECT_EQ(outcomes[2].fate, Fate::kUndecided);
}

TEST(Preview, AClusterScopedDependentOfANamespacedOwnerIsNeverCollected) {
  const Rollout rollout;
  World world = rollout.world();
  world.objects.push_back(OwnedBy(graph::Of("v1", "Node", "worker", ""), {To(rollout.deployment)}));
  const auto outcomes = PreviewDelete(world, rollout.deployment.id, Policy::kBackground);
  EXPECT_EQ(outcomes[2].object.id.kind, "Node");
  EXPECT_EQ(outcomes[2].fate, Fate::kNever);
}

TEST(Preview, WhatHasNothingToDoWithItIsNotNamed) {
  const Rollout rollout;
  World world = rollout.world();
  world.objects.push_back(Pod("alone"));
  EXPECT_EQ(PreviewDelete(world, rollout.deployment.id, Policy::kBackground).size(), 3U);
  EXPECT_EQ(PreviewDelete(world, rollout.pod.id, Policy::kBackground).size(), 1U);
}

TEST(Preview, WithoutAPolicyTheTypeDecides) {
  const Object rc = graph::Of("v1", "ReplicationController", "rc");
  const Object pod = OwnedBy(Pod("a"), {To(rc)});
  EXPECT_EQ(PreviewDelete(Of({rc, pod}), rc.id, std::nullopt)[1].fate, Fate::kReleased);
}

TEST(Preview, ADependentOfTwoIsNamedOnce) {
  Rollout rollout;
  rollout.pod.owners.push_back(To(rollout.deployment));
  const auto outcomes = PreviewDelete(rollout.world(), rollout.deployment.id, Policy::kBackground);
  EXPECT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes.back().owners.size() + outcomes[1].owners.size(), 3U);
}

}  // namespace
}  // namespace ebb::graph
