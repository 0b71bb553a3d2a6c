#include "graph/preview.h"

#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

World Of(const std::vector<Object>& objects) {
  World world;
  for (const Object& object : objects) world.Add(object);
  for (const char* kind : {"Pod", "Secret", "ConfigMap", "ReplicationController"}) {
    world.kinds.Serve("v1", kind, true);
  }
  for (const char* kind : {"Node", "Namespace"}) world.kinds.Serve("v1", kind, false);
  for (const char* kind : {"Deployment", "ReplicaSet"}) world.kinds.Serve("apps/v1", kind, true);
  return world;
}

std::vector<Outcome> PreviewDelete(const World& world, const Coordinates& target,
                                   std::optional<Policy> policy) {
  return graph::PreviewDelete(world, {world.Find(target.uid)}, policy);
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
  world.Add(other);
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
  world.Add(bad);
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
  world.Add(OwnedBy(graph::Of("v1", "Node", "worker", ""), {To(rollout.deployment)}));
  const auto outcomes = PreviewDelete(world, rollout.deployment.id, Policy::kBackground);
  EXPECT_EQ(outcomes[2].object.id.kind, "Node");
  EXPECT_EQ(outcomes[2].fate, Fate::kNever);
}

TEST(Preview, WhatHasNothingToDoWithItIsNotNamed) {
  const Rollout rollout;
  World world = rollout.world();
  world.Add(Pod("alone"));
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

Object Namespace(const std::string& name) {
  return graph::Of("v1", "Namespace", name, "");
}

TEST(Preview, ANamespaceTakesWhatIsInItAlongAndGoesLast) {
  const Rollout rollout;
  const Object ns = Namespace("ns1");
  const Object elsewhere = Pod("elsewhere", "ns2");
  World world = rollout.world();
  for (const Object& object : {ns, Namespace("ns2"), elsewhere}) world.Add(object);
  const auto outcomes = PreviewDelete(world, ns.id, std::nullopt);
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_EQ(outcomes[0].object.id, ns.id);
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.fate, Fate::kDeleted) << outcome.object.id.name;
    EXPECT_TRUE(outcome.object.id == ns.id || outcome.wave < outcomes[0].wave);
  }
}

TEST(Preview, WhatAFinalizerKeepsInANamespaceKeepsTheNamespace) {
  Rollout rollout;
  rollout.pod.finalizers = {"x/y"};
  const Object ns = Namespace("ns1");
  World world = rollout.world();
  world.Add(ns);
  const auto outcomes = PreviewDelete(world, ns.id, std::nullopt);
  EXPECT_EQ(outcomes[0].fate, Fate::kStuck);
  EXPECT_THAT(outcomes[0].waits_for, ElementsAre(rollout.pod.id));
}

TEST(Preview, ADefinitionTakesTheResourcesThatItDefinesAlongAndTheirDependents) {
  const Object crd =
      graph::Of("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.acme.dev", "");
  const Object widget = graph::Of("acme.dev/v1", "Widget", "one");
  const Object gadget = graph::Of("acme.dev/v1", "Gadget", "two");
  const Object pod = OwnedBy(Pod("of-one"), {To(widget)});
  World world = Of({crd, widget, gadget, pod});
  world.kinds.Serve("apiextensions.k8s.io/v1", "CustomResourceDefinition", false);
  world.kinds.Serve("acme.dev/v1", "Widget", true);
  world.kinds.Serve("acme.dev/v1", "Gadget", true);
  EXPECT_THAT(Waves(PreviewDelete(world, crd.id, std::nullopt)),
              ElementsAre("widgets.acme.dev deleted 3", "one deleted 1", "of-one deleted 2"));
}

TEST(Preview, SeveralTargetsAtOnceSpareNothingThatOnlyTheyKept) {
  Rollout rollout;
  const Object other = graph::Of("apps/v1", "ReplicaSet", "other");
  rollout.pod.owners.push_back(To(other));
  World world = rollout.world();
  world.Add(other);
  const auto outcomes =
      graph::PreviewDelete(world, {world.Find(rollout.deployment.id.uid), world.Find(other.id.uid)},
                           Policy::kBackground);
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.fate, Fate::kDeleted) << outcome.object.id.name;
  }
}

}  // namespace
}  // namespace ebb::graph
