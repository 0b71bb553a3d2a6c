// The three ways to delete, on Deployment → ReplicaSet → Pod and on what goes wrong with them.
#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

struct Rollout : Cluster {
  Rollout() {
    for (const Object* object : {&deployment, &set, &first, &second}) server.Put(*object);
    Settle();
  }
  const Object deployment = Of("apps/v1", "Deployment", "web");
  const Object set = OwnedBy(Of("apps/v1", "ReplicaSet", "web-1"), {To(deployment)});
  const Object first = OwnedBy(Pod("web-1-a"), {To(set)});
  const Object second = OwnedBy(Pod("web-1-b"), {To(set)});
};

TEST(Policies, WhatHasItsOwnersStays) {
  Rollout cluster;
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 4U);
}

TEST(Policies, OE4BackgroundTakesTheOwnerFirstAndThenEverythingBelow) {
  Rollout cluster;
  cluster.Delete(cluster.deployment, Policy::kBackground);
  EXPECT_FALSE(cluster.Has(cluster.deployment));
  EXPECT_TRUE(cluster.Has(cluster.set));
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 0U);
}

TEST(Policies, OE6ForegroundTakesTheOwnerLast) {
  Rollout cluster;
  std::vector<std::string> gone;
  cluster.server.tell = [&](const Event& event) {
    if (event.type == Event::Type::kDeleted) gone.push_back(event.object.id.name);
    cluster.collector.Tell(event);
  };
  cluster.Delete(cluster.deployment, Policy::kForeground);
  EXPECT_TRUE(cluster.Has(cluster.deployment)) << "it waits";
  cluster.Settle();
  EXPECT_EQ(gone, (std::vector<std::string>{"web-1-a", "web-1-b", "web-1", "web"}));
}

TEST(Policies, OE5OrphanLetsGoOfDependentsAndTheirsStayAsTheyAre) {
  Rollout cluster;
  cluster.Delete(cluster.deployment, Policy::kOrphan);
  cluster.Settle();
  EXPECT_FALSE(cluster.Has(cluster.deployment));
  EXPECT_TRUE(cluster.Now(cluster.set).owners.empty());
  EXPECT_EQ(cluster.Now(cluster.first).owners, cluster.first.owners);
}

TEST(Policies, OE3AReplicationControllerLetsGoOfItsPodsIfNobodySaysOtherwise) {
  Cluster cluster;
  const Object rc = Of("v1", "ReplicationController", "rc");
  const Object pod = OwnedBy(Pod("a"), {To(rc)});
  cluster.server.Put(rc);
  cluster.server.Put(pod);
  cluster.Settle();
  cluster.Delete(rc, std::nullopt);
  cluster.Settle();
  EXPECT_FALSE(cluster.Has(rc));
  EXPECT_TRUE(cluster.Has(pod));
}

// Judged first, the grandchild would take the child for an owner that keeps it. Upstream leaves the
// order to chance.
TEST(Policies, ForegroundJudgesOwnersBeforeTheirDependentsInWhateverOrderTheyCame) {
  for (const bool owner_first : {true, false}) {
    Cluster cluster;
    const Object owner = Of("apps/v1", "Deployment", "owner");
    const Object child = OwnedBy(Of("v1", "ConfigMap", "child"), {To(owner, false)});
    const Object both = OwnedBy(Of("v1", "Secret", "both"), {To(owner), To(child)});
    cluster.server.Put(owner);
    cluster.server.Put(owner_first ? child : both);
    cluster.server.Put(owner_first ? both : child);
    cluster.Settle();
    cluster.Delete(owner, Policy::kForeground);
    cluster.Settle();
    EXPECT_EQ(cluster.server.size(), 0U) << owner_first;
    EXPECT_FALSE(std::ranges::any_of(cluster.Calls(), [](const std::string& call) {
      return call.starts_with("PATCH Secret");
    })) << "it is not let go by an owner that is about to go";
  }
}

TEST(Policies, OI3OneOwnerThatIsLeftKeepsAnObjectAndItLosesTheOtherReference) {
  Cluster cluster;
  const Object one = Of("v1", "ReplicationController", "one");
  const Object other = Of("v1", "ReplicationController", "other");
  const Object alone = OwnedBy(Pod("a"), {To(one)});
  const Object both = OwnedBy(Pod("b"), {To(one), To(other)});
  const Object free = Pod("c");
  for (const Object& object : {one, other, alone, both, free}) cluster.server.Put(object);
  cluster.Settle();
  cluster.Delete(one, Policy::kBackground);
  cluster.Settle();
  EXPECT_FALSE(cluster.Has(alone));
  EXPECT_EQ(cluster.Now(both).owners, std::vector{To(other)});
  EXPECT_TRUE(cluster.Has(free));
}

TEST(Policies, OI7InTheForegroundASharedDependentIsPatchedAndBlocksNoMore) {
  Cluster cluster;
  const Object one = Of("v1", "ReplicationController", "one");
  const Object other = Of("v1", "ReplicationController", "other");
  const Object pod = OwnedBy(Pod("a"), {To(one), To(other)});
  for (const Object& object : {one, other, pod}) cluster.server.Put(object);
  cluster.Settle();
  cluster.Delete(one, Policy::kForeground);
  cluster.Settle();
  EXPECT_FALSE(cluster.Has(one));
  EXPECT_EQ(cluster.Now(pod).owners, std::vector{To(other)});
}

// A pod with a finalizer of somebody else's, owned by a controller that is deleted.
struct Kept : Cluster {
  explicit Kept(std::optional<bool> block) : pod(OwnedBy(Pod("a"), {To(rc, block)})) {
    pod.finalizers = {"x/y"};
    server.Put(rc);
    server.Put(pod);
    Settle();
  }
  const Object rc = Of("v1", "ReplicationController", "rc");
  Object pod;
};

TEST(Policies, OI8ADependentThatDoesNotBlockIsNotWaitedFor) {
  for (const std::optional<bool> block : {std::optional<bool>{}, std::optional(false)}) {
    Kept cluster(block);
    cluster.Delete(cluster.rc, Policy::kForeground);
    cluster.Settle();
    EXPECT_FALSE(cluster.Has(cluster.rc));
    EXPECT_TRUE(cluster.Now(cluster.pod).deleting);
  }
}

TEST(Policies, OI10ADependentThatBlocksIs) {
  Kept cluster(true);
  cluster.Delete(cluster.rc, Policy::kForeground);
  cluster.Settle();
  EXPECT_TRUE(cluster.Has(cluster.rc));
  EXPECT_TRUE(cluster.Now(cluster.pod).deleting);
  Patch free{.uid = cluster.pod.id.uid,
             .resource_version = cluster.Now(cluster.pod).resource_version};
  free.finalizers.emplace();
  EXPECT_EQ(cluster.server.Change(cluster.pod.id, free), Answer::kDone);
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 0U) << "and then both go";
}

TEST(Policies, OI9AnObjectWithoutDependentsLosesTheCollectorsFinalizerEachTime) {
  Kept cluster(true);
  for (int time = 0; time < 2; ++time) {
    cluster.Delete(cluster.pod, Policy::kForeground);
    cluster.Settle();
    EXPECT_EQ(cluster.Now(cluster.pod).finalizers, std::vector<std::string>{"x/y"});
  }
}

TEST(Policies, OE8ACircleThatBlocksItselfGoes) {
  Cluster cluster;
  Object one = Pod("1");
  Object two = Pod("2");
  Object three = Pod("3");
  one = OwnedBy(one, {To(three)});
  two = OwnedBy(two, {To(one)});
  three = OwnedBy(three, {To(two)});
  for (const Object& object : {one, two, three}) cluster.server.Put(object);
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 3U);
  cluster.Delete(one, Policy::kForeground);
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 0U);
}

TEST(Policies, OX11ASelfCircleGoesWhenItIsDeletedAndNotBefore) {
  for (const Policy policy : {Policy::kBackground, Policy::kForeground, Policy::kOrphan}) {
    Cluster cluster;
    Object self = Pod("self");
    self = OwnedBy(self, {To(self)});
    cluster.server.Put(self);
    cluster.Settle();
    EXPECT_TRUE(cluster.Has(self));
    cluster.Delete(self, policy);
    cluster.Settle();
    EXPECT_FALSE(cluster.Has(self)) << Code(policy);
  }
}

TEST(Policies, OX11ACircleOfWhichEveryObjectIsDeletedInTheForegroundGoes) {
  Cluster cluster;
  Object one = Pod("1");
  Object two = Pod("2");
  one = OwnedBy(one, {To(two)});
  two = OwnedBy(two, {To(one)});
  cluster.server.Put(one);
  cluster.server.Put(two);
  cluster.Settle();
  cluster.Delete(one, Policy::kForeground);
  cluster.Delete(two, Policy::kForeground);
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 0U);
}

TEST(Policies, OX7WithBothFinalizersOrphaningComesFirstAndNothingIsStuck) {
  Rollout cluster;
  Object both = cluster.Now(cluster.deployment);
  both.finalizers = {std::string(kForegroundFinalizer), std::string(kOrphanFinalizer)};
  both.deleting = true;
  cluster.server.Put(both);
  cluster.Settle();
  EXPECT_FALSE(cluster.Has(cluster.deployment));
  EXPECT_TRUE(cluster.Has(cluster.set));
}

// Upstream may wait for ever: it acts on the change and not on the state.
TEST(Policies, OX6AForegroundDeletionWhoseBeginningWasMissedEndsAllTheSame) {
  Rollout cluster;
  Object lost = cluster.Now(cluster.deployment);
  cluster.server.tell = [](const Event&) {};
  cluster.Delete(cluster.deployment, Policy::kForeground);
  cluster.server.tell = [&](const Event& event) { cluster.collector.Tell(event); };
  lost = cluster.Now(cluster.deployment);
  cluster.collector.Tell({.type = Event::Type::kChanged, .object = lost});
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 0U);
}

TEST(Policies, OX8AnOwnerThatWaitsForSomebodyElseKeepsItsDependents) {
  Rollout cluster;
  Object kept = cluster.Now(cluster.deployment);
  kept.finalizers = {"x/y"};
  cluster.server.Put(kept);
  cluster.Settle();
  cluster.Delete(cluster.deployment, Policy::kBackground);
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 4U);
  cluster.server.Erase(cluster.deployment.id);
  cluster.Settle();
  EXPECT_EQ(cluster.server.size(), 0U);
}

TEST(Policies, OX12TheSameOwnerNamedTwiceDifferentlyIsJudgedTwice) {
  Cluster cluster;
  const Object owner = Of("v1", "ConfigMap", "owner");
  OwnerReference wrong = To(owner);
  wrong.kind = "Secret";
  const Object pod = OwnedBy(Pod("a"), {To(owner), wrong});
  cluster.server.Put(owner);
  cluster.server.Put(pod);
  cluster.Settle();
  EXPECT_TRUE(cluster.Has(pod));
  cluster.server.Erase(owner.id);
  cluster.Settle();
  EXPECT_FALSE(cluster.Has(pod));
}

TEST(Policies, OX1TheDependentsOfAnOwnerThatWasMadeAnewGo) {
  Rollout cluster;
  cluster.server.Erase(cluster.deployment.id);
  Object anew = cluster.deployment;
  anew.id.uid = "uid-anew";
  cluster.server.Put(anew);
  cluster.Settle();
  EXPECT_TRUE(cluster.Has(anew));
  EXPECT_FALSE(cluster.Has(cluster.set));
}

}  // namespace
}  // namespace ebb::graph
