// One object at a time: what the collector asks, and what it does about the answers.
#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Object Rc(const std::string& name) {
  return Of("v1", "ReplicationController", name);
}

// Somebody else is quicker: what is asked for next has gone, or has changed.
struct Raced : Cluster {
  std::function<void()> before_delete = [] {};
  std::function<void()> before_patch = [] {};
  Answer Delete(const Coordinates& id, const DeleteOptions& options) override {
    std::exchange(before_delete, [] {})();
    return Cluster::Delete(id, options);
  }
  Answer Change(const Coordinates& id, const Patch& patch) override {
    std::exchange(before_patch, [] {})();
    return Cluster::Change(id, patch);
  }
  void See(const Object& object) {
    server.Put(object);
    while (collector.TakeEvent()) continue;
  }
};

TEST(Collector, OU2AnObjectThatIsGoneWhenItIsDeletedIsProvedAbsent) {
  Raced cluster;
  const Object pod = OwnedBy(Pod("1"), {To(Rc("rc"))});
  cluster.See(pod);
  EXPECT_EQ(cluster.collector.TryDelete(), Attempt::kAbsent) << "the owner";
  while (cluster.collector.TakeEvent()) continue;
  cluster.before_delete = [&] {
    cluster.server.tell = [](const Event&) {};
    cluster.server.Erase(pod.id);
  };
  EXPECT_EQ(cluster.collector.TryDelete(), Attempt::kAbsent);
  EXPECT_EQ(cluster.collector.events(), 1U);
}

TEST(Collector, OU3SoItIsIfItsOwnerWaitsForIt) {
  Raced cluster;
  Object owner = Rc("rc");
  const Object pod = OwnedBy(Pod("1"), {To(owner)});
  owner.deleting = true;
  owner.finalizers = {std::string(kForegroundFinalizer)};
  cluster.See(owner);
  cluster.See(pod);
  (void)cluster.collector.TryDelete();  // the owner asks for its dependents
  cluster.before_delete = [&] {
    cluster.server.tell = [](const Event&) {};
    cluster.server.Erase(pod.id);
  };
  EXPECT_EQ(cluster.collector.TryDelete(), Attempt::kAbsent);
}

TEST(Collector, OU4AVirtualObjectIsJudgedByTheReferencesThatTheServerHas) {
  Cluster cluster;
  const Object middle = OwnedBy(Pod("middle"), {To(Rc("rc"))});
  const Object leaf = OwnedBy(Pod("leaf"), {To(middle)});
  cluster.server.tell = [](const Event&) {};
  cluster.server.Put(middle);
  cluster.collector.Tell({.object = leaf});
  while (cluster.collector.TakeEvent()) continue;
  EXPECT_EQ(cluster.collector.TryDelete(), Attempt::kAgain);
  EXPECT_THAT(cluster.Calls(), ElementsAre("GET Pod ns1/middle", "GET ReplicationController ns1/rc",
                                           "DELETE Pod ns1/middle Background"));
}

// U5 to U8: the invariant is looked at after every event.
TEST(Collector, OU5ToOU8WhateverTheOrderTheGraphAgreesWithItself) {
  const std::vector<Object> family = {Pod("1"), OwnedBy(Pod("2"), {To(Pod("1"))}),
                                      OwnedBy(Pod("3"), {To(Pod("1")), To(Pod("2"))}),
                                      OwnedBy(Pod("4"), {To(Pod("2"))})};
  std::vector<std::size_t> order = {0, 1, 2, 3};
  do {
    Cluster cluster;
    Graph& graph = cluster.collector.knowledge().graph;
    for (const std::size_t i : order) {
      cluster.server.Put(family[i]);
      while (cluster.collector.TakeEvent()) ExpectInvariant(graph);
    }
    cluster.server.Erase(family[1].id);
    while (cluster.collector.TakeEvent()) ExpectInvariant(graph);
    cluster.server.Put(OwnedBy(Pod("1"), {To(Pod("4"))}));  // a circle
    while (cluster.collector.TakeEvent()) ExpectInvariant(graph);
    EXPECT_EQ(graph.DependentsOf(graph.Find("uid-1")).size(), 1U);
    EXPECT_EQ(graph.Find("uid-2"), Graph::kNone);
  } while (std::ranges::next_permutation(order).found);
}

TEST(Collector, OU10AnOwnerThatWasProvedAbsentIsAskedForOnceAndTheOldestIsForgotten) {
  AbsentOwners absent(2);
  absent.Add(Rc("1").id);
  absent.Add(Rc("2").id);
  EXPECT_TRUE(absent.Has(Rc("1").id)) << "asking keeps it";
  absent.Add(Rc("3").id);
  EXPECT_THAT(absent.All(), ElementsAre(Rc("1").id, Rc("3").id));
}

TEST(Collector, OU11OnlyTheReferencesThatLeadNowhereGo) {
  Cluster cluster;
  const Object kept = Rc("1");
  const Object pod = OwnedBy(Pod("a"), {To(kept), To(Rc("2")), To(Rc("3"))});
  cluster.server.Put(kept);
  cluster.server.Put(pod);
  cluster.Settle();
  EXPECT_THAT(cluster.Now(pod).owners, ElementsAre(To(kept)));
}

TEST(Collector, OU13AnOwnerWhoseDependentCannotBeChangedNowWaits) {
  Raced cluster;
  const Object owner = Rc("rc");
  const Object pod = OwnedBy(Pod("1"), {To(owner)});
  cluster.See(owner);
  cluster.See(pod);
  cluster.Settle();
  cluster.Cluster::server.Delete(owner.id, {.policy = Policy::kOrphan});
  while (cluster.collector.TakeEvent()) continue;
  cluster.before_patch = [&] {
    Object changed = cluster.Now(pod);
    cluster.server.Put(changed);  // another version
  };
  EXPECT_EQ(cluster.collector.TryOrphan(), Attempt::kAgain);
  EXPECT_TRUE(cluster.Has(owner));
  EXPECT_EQ(cluster.collector.TryOrphan(), Attempt::kDone);
  EXPECT_FALSE(cluster.Has(owner));
  EXPECT_TRUE(cluster.Now(pod).owners.empty());
}

// C17, k/k #114603: an object that gets another owner in the last moment is not deleted.
TEST(Collector, OC17AnObjectWhoseOwnersChangeInTheLastMomentIsJudgedAnew) {
  Raced cluster;
  const Object pod = OwnedBy(Pod("1"), {To(Rc("gone"))});
  const Object saviour = Rc("saviour");
  cluster.See(saviour);
  cluster.See(pod);
  cluster.collector.knowledge().absent.Add(Rc("gone").id);
  (void)cluster.collector.TryDelete();
  while (cluster.collector.TakeEvent()) continue;
  (void)cluster.Calls();
  cluster.before_delete = [&] { cluster.server.Put(OwnedBy(pod, {To(saviour)})); };
  EXPECT_EQ(cluster.collector.TryDelete(), Attempt::kAgain);
  EXPECT_THAT(cluster.Calls(),
              ElementsAre("GET Pod ns1/1", "DELETE Pod ns1/1 Background", "GET Pod ns1/1"));
  cluster.Settle();
  EXPECT_TRUE(cluster.Has(pod));
}

TEST(Collector, OC17AChangeThatLeavesItsOwnersAloneSavesNothing) {
  Raced cluster;
  const Object pod = OwnedBy(Pod("1"), {To(Rc("gone"))});
  cluster.See(pod);
  cluster.collector.knowledge().absent.Add(Rc("gone").id);
  (void)cluster.collector.TryDelete();
  while (cluster.collector.TakeEvent()) continue;
  (void)cluster.Calls();
  cluster.before_delete = [&] { cluster.server.Put(pod); };
  EXPECT_EQ(cluster.collector.TryDelete(), Attempt::kDone);
  EXPECT_THAT(cluster.Calls(), ElementsAre("GET Pod ns1/1", "DELETE Pod ns1/1 Background",
                                           "GET Pod ns1/1", "DELETE Pod ns1/1 Background"));
  EXPECT_FALSE(cluster.Has(pod));
}

TEST(Collector, OX15OneOwnerOfAKindThatIsNotServedKeepsTheObjectWhateverTheOthersAre) {
  Cluster cluster;
  const Object pod = OwnedBy(Pod("1"), {To(Rc("gone")), To(Of("acme.dev/v1", "Widget", "w"))});
  cluster.server.Put(pod);
  cluster.Settle();
  EXPECT_TRUE(cluster.Has(pod));
}

TEST(Collector, OX2AnAnswerThatProvesNothingDeletesNothing) {
  struct Broken : Cluster {
    Found Get(const Coordinates& id) override {
      return id.kind == "Pod" ? Cluster::Get(id) : Found{.answer = Answer::kFailed};
    }
  } cluster;
  const Object pod = OwnedBy(Pod("1"), {To(Rc("rc"))});
  cluster.server.Put(pod);
  cluster.Settle();
  EXPECT_TRUE(cluster.Has(pod));
}

TEST(Collector, OX24AnObjectThatDoesNotChangeIsLookedAtOnce) {
  Cluster cluster;
  const Object owner = Rc("rc");
  cluster.server.Put(owner);
  const Object pod = OwnedBy(Pod("1"), {To(owner)});
  cluster.server.Put(pod);
  cluster.Settle();
  (void)cluster.Calls();
  for (int i = 0; i < 10; ++i) cluster.collector.Tell({.object = cluster.Now(pod)});
  cluster.Settle();
  EXPECT_THAT(cluster.Calls(), IsEmpty());
}

TEST(Collector, WordsTheWarningAsUpstreamDoes) {
  EXPECT_EQ(MessageOf({Pod("a").id, To(Pod("X", "ns2"))}),
            "ownerRef [v1/Pod, namespace: ns1, name: X, uid: uid-X] does not exist in namespace "
            "\"ns1\"");
}

}  // namespace
}  // namespace ebb::graph
