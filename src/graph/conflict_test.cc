// References that contradict each other, step by step: TestConflictingData of
// kube-controller-manager (v1.36) as sentences.
#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kExtensions = "extensions/v1beta1";

// One step at a time.
struct Steps : Cluster {
  void Add(const Object& object) {
    server.Put(object);
    TakeAll();
  }
  void Gone(const Object& object) {
    server.Erase(object.id);
    TakeAll();
  }
  // Without the server knowing: somebody dreams of it.
  void Observe(const Object& object) {
    collector.Tell({.type = Event::Type::kChanged, .object = object});
    TakeAll();
  }
  void TakeAll() {
    while (collector.TakeEvent()) ExpectInvariant(collector.knowledge().graph);
  }
  Attempt Try() {
    const Attempt attempt = collector.TryDelete();
    TakeAll();
    return attempt;
  }
  std::size_t waiting() { return collector.knowledge().to_delete.size(); }
  std::vector<Coordinates> absent() { return collector.knowledge().absent.All(); }
  std::size_t warnings() { return collector.knowledge().warnings.size(); }
  bool IsVirtual(const Object& object) {
    Graph& graph = collector.knowledge().graph;
    return graph.At(graph.Find(object.id.uid)).is_virtual;
  }
  Coordinates IdentityOf(const Object& object) {
    Graph& graph = collector.knowledge().graph;
    return graph.IdentityOf(graph.Find(object.id.uid));
  }
  bool IsKnown(const Object& object) {
    return collector.knowledge().graph.Find(object.id.uid) != Graph::kNone;
  }
};

Object Worker() {
  return Of("v1", "Node", "worker", "");
}

TEST(Conflict, OC1AnOwnerInNoNamespaceIsAGoodOwner) {
  Steps steps;
  const Object pod = OwnedBy(Pod("1"), {To(Worker())});
  steps.server.tell = [](const Event&) {};
  steps.server.Put(Worker());
  steps.server.tell = [&](const Event& event) { steps.collector.Tell(event); };
  steps.Add(pod);
  EXPECT_TRUE(steps.IsVirtual(Worker()));
  EXPECT_EQ(steps.IdentityOf(Worker()).ns, "ns1") << "it is invented where its dependent is";
  EXPECT_EQ(steps.Try(), Attempt::kAgain) << "it is there, and was not seen yet";
  steps.Observe(Worker());
  EXPECT_FALSE(steps.IsVirtual(Worker()));
  EXPECT_EQ(steps.IdentityOf(Worker()).ns, "");
  (void)steps.Calls();
  EXPECT_EQ(steps.Try(), Attempt::kStale);
  EXPECT_THAT(steps.Calls(), IsEmpty());
  EXPECT_EQ(steps.waiting(), 0U);
  EXPECT_TRUE(steps.Has(pod));
}

TEST(Conflict, OC2AnOwnerInAnotherNamespaceIsAbsentWhoeverIsSeenFirst) {
  Steps steps;
  const Object owner = Pod("2", "ns2");
  const Object pod = OwnedBy(Pod("1"), {To(owner)});
  steps.Add(pod);
  EXPECT_TRUE(steps.IsVirtual(owner));
  steps.Add(owner);
  EXPECT_EQ(steps.warnings(), 1U);
  EXPECT_EQ(steps.Try(), Attempt::kStale);
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_THAT(steps.Calls(),
              ElementsAre("GET Pod ns1/1", "GET Pod ns1/2", "DELETE Pod ns1/1 Background"));
  EXPECT_FALSE(steps.Has(pod));
  EXPECT_TRUE(steps.Has(owner));
  EXPECT_THAT(steps.absent(), ElementsAre(To(owner).In("ns1")));
}

TEST(Conflict, OC3TheSameWithTheOwnerFirst) {
  Steps steps;
  const Object owner = Pod("2", "ns2");
  const Object pod = OwnedBy(Pod("1"), {To(owner)});
  steps.Add(owner);
  steps.Add(pod);
  EXPECT_EQ(steps.warnings(), 1U);
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_THAT(steps.Calls(),
              ElementsAre("GET Pod ns1/1", "GET Pod ns1/2", "DELETE Pod ns1/1 Background"));
  EXPECT_FALSE(steps.Has(pod));
  EXPECT_TRUE(steps.Has(owner));
}

TEST(Conflict, OC4ADependentInNoNamespaceOfAnOwnerInOneStaysForEver) {
  Steps steps;
  const Object owner = Pod("1");
  const Object node = OwnedBy(Worker(), {To(owner)});
  steps.Add(node);
  EXPECT_EQ(steps.Try(), Attempt::kNever);
  EXPECT_THAT(steps.Calls(), IsEmpty());
  EXPECT_EQ(steps.waiting(), 0U);
  steps.Add(owner);
  EXPECT_EQ(steps.warnings(), 1U);
  EXPECT_EQ(steps.Try(), Attempt::kNever);
  EXPECT_THAT(steps.Calls(), ElementsAre("GET Node worker"));
  EXPECT_EQ(steps.waiting(), 0U);
  EXPECT_TRUE(steps.Has(node));
}

TEST(Conflict, OC5TheSameWithTheOwnerFirst) {
  Steps steps;
  const Object owner = Pod("1");
  const Object node = OwnedBy(Worker(), {To(owner)});
  steps.Add(owner);
  steps.Add(node);
  EXPECT_EQ(steps.warnings(), 1U);
  EXPECT_EQ(steps.Try(), Attempt::kNever);
  EXPECT_THAT(steps.Calls(), ElementsAre("GET Node worker"));
  EXPECT_TRUE(steps.Has(node));
}

TEST(Conflict, OC6AVersionThatIsServedButNotPreferredIsAsGood) {
  Steps steps;
  const Object role = Of("rbac.authorization.k8s.io/v1", "Role", "role1");
  const Object beta = Of("rbac.authorization.k8s.io/v1beta1", "Role", "role1");
  const Object pod = OwnedBy(Pod("1"), {To(beta)});
  steps.server.tell = [](const Event&) {};
  steps.server.Put(role);
  steps.server.tell = [&](const Event& event) { steps.collector.Tell(event); };
  steps.Add(pod);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  steps.Observe(role);
  EXPECT_EQ(steps.IdentityOf(role), role.id);
  EXPECT_EQ(steps.Try(), Attempt::kStale);
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_TRUE(steps.Has(pod));
  steps.Gone(role);
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_FALSE(steps.Has(pod));
  EXPECT_THAT(steps.absent(), ElementsAre(role.id, beta.id));
}

TEST(Conflict, OC7AVersionThatIsNotServedKeepsItsDependentAndIsAskedForAgain) {
  Steps steps;
  const Object deployment = Of("apps/v1", "Deployment", "dep1");
  const Object old = Of(kExtensions, "Deployment", "dep1");
  const Object pod = OwnedBy(Pod("1"), {To(old)});
  steps.Add(pod);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  EXPECT_THAT(steps.Calls(), IsEmpty());
  steps.Add(deployment);
  EXPECT_EQ(steps.IdentityOf(deployment), deployment.id);
  EXPECT_EQ(steps.Try(), Attempt::kStale);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  EXPECT_THAT(steps.Calls(), ElementsAre("GET Pod ns1/1"));
  steps.Gone(deployment);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  EXPECT_TRUE(steps.Has(pod));
  EXPECT_EQ(steps.waiting(), 1U);
}

TEST(Conflict, OC8TheSameWithTheOwnerFirst) {
  Steps steps;
  const Object deployment = Of("apps/v1", "Deployment", "dep1");
  const Object pod = OwnedBy(Pod("1"), {To(Of(kExtensions, "Deployment", "dep1"))});
  steps.Add(deployment);
  steps.Add(pod);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  steps.Gone(deployment);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  EXPECT_TRUE(steps.Has(pod));
}

TEST(Conflict, OC9WithTheOwnerMissingTheDependentThatNamesAServedVersionGoes) {
  Steps steps;
  const Object deployment = Of("apps/v1", "Deployment", "dep1");
  const Object old = Of(kExtensions, "Deployment", "dep1");
  const Object unserved = OwnedBy(Pod("1"), {To(old)});
  const Object served = OwnedBy(Pod("2"), {To(deployment)});
  steps.Add(unserved);
  steps.Add(served);
  EXPECT_EQ(steps.Try(), Attempt::kAgain) << "nobody serves what it was invented as";
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_FALSE(steps.Has(served));
  EXPECT_TRUE(steps.Has(unserved));
  EXPECT_TRUE(steps.IsVirtual(old));
  EXPECT_EQ(steps.waiting(), 1U);
  EXPECT_THAT(steps.absent(), ElementsAre(deployment.id));
}

TEST(Conflict, OC10TheSameWithTheServedVersionFirst) {
  Steps steps;
  const Object deployment = Of("apps/v1", "Deployment", "dep1");
  const Object old = Of(kExtensions, "Deployment", "dep1");
  const Object unserved = OwnedBy(Pod("1"), {To(old)});
  const Object served = OwnedBy(Pod("2"), {To(deployment)});
  steps.Add(served);
  steps.Add(unserved);
  EXPECT_EQ(steps.Try(), Attempt::kAbsent);
  EXPECT_EQ(steps.IdentityOf(old), old.id) << "it may be what the other takes it for";
  (void)steps.Calls();
  EXPECT_EQ(steps.Try(), Attempt::kAgain) << "the one that names what nobody serves";
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_THAT(steps.Calls(),
              ElementsAre("GET Pod ns1/1", "GET Pod ns1/2", "DELETE Pod ns1/2 Background"))
      << "an owner that was proved absent is not asked for again";
  EXPECT_FALSE(steps.Has(served));
  EXPECT_TRUE(steps.Has(unserved));
}

// One dependent takes the Deployment for a Secret of the same UID.
struct WrongKind : Steps {
  const Object deployment = Of("apps/v1", "Deployment", "dep1");
  const Object secret = Of("v1", "Secret", "dep1");
  const Object bad = OwnedBy(Pod("bad"), {To(secret)});
  const Object good = OwnedBy(Pod("good"), {To(deployment)});
  // Known to the server, and to the collector not yet.
  void PutDeploymentUnseen() {
    server.tell = [](const Event&) {};
    server.Put(deployment);
    server.tell = [this](const Event& event) { collector.Tell(event); };
  }
  void ExpectOnlyTheBadOneIsGone() {
    Settle();
    Observe(deployment);
    Settle();
    EXPECT_FALSE(Has(bad));
    EXPECT_TRUE(Has(good));
    EXPECT_TRUE(Has(deployment));
    EXPECT_FALSE(IsVirtual(deployment));
    EXPECT_THAT(absent(), ElementsAre(secret.id));
  }
};

TEST(Conflict, OC11OfTwoThatNameAnOwnerDifferentlyTheWrongOneGoes) {
  WrongKind steps;
  steps.PutDeploymentUnseen();
  steps.Add(steps.bad);
  steps.Add(steps.good);
  EXPECT_EQ(steps.Try(), Attempt::kAbsent);
  EXPECT_EQ(steps.IdentityOf(steps.deployment), steps.deployment.id);
  steps.ExpectOnlyTheBadOneIsGone();
}

TEST(Conflict, OC12AnOwnerThatIsSeenBeforeItIsProvedAbsentByAWrongNameStays) {
  WrongKind steps;
  steps.PutDeploymentUnseen();
  steps.Add(steps.bad);
  steps.Add(steps.good);
  EXPECT_EQ(steps.collector.TryDelete(), Attempt::kAbsent);
  // The proof waits its turn behind the sight of it.
  ASSERT_EQ(steps.collector.events(), 1U);
  steps.collector.TellFirst({.type = Event::Type::kChanged, .object = steps.deployment});
  steps.TakeAll();
  EXPECT_TRUE(steps.IsKnown(steps.deployment));
  EXPECT_FALSE(steps.IsVirtual(steps.deployment));
  steps.ExpectOnlyTheBadOneIsGone();
}

TEST(Conflict, OC13TheSameWithTheGoodOneFirst) {
  WrongKind steps;
  steps.PutDeploymentUnseen();
  steps.Add(steps.good);
  steps.Add(steps.bad);
  EXPECT_EQ(steps.Try(), Attempt::kAgain);
  steps.ExpectOnlyTheBadOneIsGone();
}

// A dependent in no namespace and one in a namespace name the same pod.
struct WrongScope : Steps {
  const Object owner = Pod("1");
  const Object bad = OwnedBy(Worker(), {To(owner)});
  const Object good = OwnedBy(Pod("2"), {To(owner)});
};

TEST(Conflict, OC14WithTheOwnerMissingTheDependentInANamespaceGoesAndTheOtherStays) {
  WrongScope steps;
  steps.Add(steps.bad);
  steps.Add(steps.good);
  EXPECT_EQ(steps.Try(), Attempt::kNever);
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_FALSE(steps.Has(steps.good));
  EXPECT_TRUE(steps.Has(steps.bad));
  EXPECT_TRUE(steps.IsVirtual(steps.owner));
  EXPECT_EQ(steps.waiting(), 0U) << "nothing is tried again";
}

TEST(Conflict, OC15WithTheOwnerSeenLateBothStay) {
  WrongScope steps;
  steps.server.tell = [](const Event&) {};
  steps.server.Put(steps.owner);
  steps.server.tell = [&](const Event& event) { steps.collector.Tell(event); };
  steps.Add(steps.bad);
  steps.Add(steps.good);
  EXPECT_EQ(steps.Try(), Attempt::kNever);
  EXPECT_EQ(steps.Try(), Attempt::kDone);
  EXPECT_TRUE(steps.Has(steps.good));
  steps.Observe(steps.owner);
  EXPECT_EQ(steps.warnings(), 1U);
  EXPECT_EQ(steps.Try(), Attempt::kNever);
  EXPECT_TRUE(steps.Has(steps.bad));
  EXPECT_EQ(steps.waiting(), 0U);
}

TEST(Conflict, OC16TheSameAs14WithTheGoodOneFirst) {
  WrongScope steps;
  steps.Add(steps.good);
  steps.Add(steps.bad);
  EXPECT_EQ(steps.Try(), Attempt::kAbsent);
  EXPECT_EQ(steps.IdentityOf(steps.owner).ns, "") << "it may be what the other takes it for";
  EXPECT_EQ(steps.Try(), Attempt::kNever) << "the node";
  steps.Settle();
  EXPECT_FALSE(steps.Has(steps.good));
  EXPECT_TRUE(steps.Has(steps.bad));
  EXPECT_EQ(steps.waiting(), 0U);
}

}  // namespace
}  // namespace ebb::graph
