#include "graph/lint.h"

#include "graph/circles.h"
#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Checked {
  World world;
  Checked() {
    for (const char* kind : {"Pod", "Secret", "ConfigMap"}) world.kinds.Serve("v1", kind, true);
    world.kinds.Serve("v1", "Node", false);
    world.kinds.Serve("apps/v1", "Deployment", true);
  }
  Checked& Add(const Object& object) {
    world.Add(object);
    return *this;
  }
  Finding Only() const {
    const auto findings = Lint(world);
    EXPECT_THAT(findings, SizeIs(1));
    return findings.empty() ? Finding{} : findings.front();
  }
};

const Object kOwner = Of("apps/v1", "Deployment", "web");

TEST(Lint, WhatIsRightIsNotFound) {
  Checked checked;
  checked.Add(kOwner).Add(OwnedBy(Pod("a"), {To(kOwner)})).Add(Of("v1", "Node", "n", ""));
  checked.Add(OwnedBy(Pod("b"), {To(Of("v1", "Node", "n", ""))}));
  EXPECT_THAT(Lint(checked.world), IsEmpty());
}

TEST(Lint, AnOwnerThatIsAbsentDeletesItsDependent) {
  const Finding finding = Checked().Add(OwnedBy(Pod("a"), {To(kOwner)})).Only();
  EXPECT_EQ(finding.fault, Fault::kDangling);
  EXPECT_TRUE(finding.deleted);
  EXPECT_EQ(SeverityOf(finding), Severity::kError);
}

TEST(Lint, BesideAnotherOwnerThatIsOnlyUntidy) {
  Checked checked;
  checked.Add(kOwner).Add(OwnedBy(Pod("a"), {To(kOwner), To(Pod("gone"))}));
  EXPECT_FALSE(checked.Only().deleted);
  EXPECT_EQ(SeverityOf(checked.Only()), Severity::kWarning);
}

TEST(Lint, AnOwnerThatWasMadeAnewIsFoundByItsNameWithTheUidToWrite) {
  Object anew = kOwner;
  anew.id.uid = "uid-anew";
  const Finding finding = Checked().Add(anew).Add(OwnedBy(Pod("a"), {To(kOwner)})).Only();
  EXPECT_EQ(finding.fault, Fault::kStaleUid);
  EXPECT_THAT(finding.remedy, ::testing::HasSubstr("uid-anew"));
}

TEST(Lint, AnOwnerInAnotherNamespaceCountsAsAbsent) {
  const Object owner = Of("apps/v1", "Deployment", "web", "ns2");
  const Finding finding = Checked().Add(owner).Add(OwnedBy(Pod("a"), {To(owner)})).Only();
  EXPECT_EQ(finding.fault, Fault::kOtherNamespace);
  EXPECT_EQ(finding.detail, "it is in ns2");
}

TEST(Lint, TheUidOfSomethingElseCountsAsAbsent) {
  OwnerReference wrong = To(kOwner);
  wrong.kind = "Secret";
  wrong.api_version = "v1";
  const Finding finding = Checked().Add(kOwner).Add(OwnedBy(Pod("a"), {wrong})).Only();
  EXPECT_EQ(finding.fault, Fault::kWrongReference);
  EXPECT_EQ(finding.detail, "the UID is Deployment web");
}

TEST(Lint, AClusterScopedObjectOfANamespacedOwnerIsNeverCollected) {
  const Object node = OwnedBy(Of("v1", "Node", "n", ""), {To(kOwner)});
  const Finding finding = Checked().Add(kOwner).Add(node).Only();
  EXPECT_EQ(finding.fault, Fault::kNamespacedOwner);
  EXPECT_FALSE(finding.deleted);
  EXPECT_EQ(SeverityOf(finding), Severity::kError);
}

TEST(Lint, OX16AnApiVersionThatCannotBeOneIsPutRight) {
  OwnerReference wrong = To(Pod("b"));
  wrong.api_version = "core/v1";
  const Finding finding = Checked().Add(Pod("b")).Add(OwnedBy(Pod("a"), {wrong})).Only();
  EXPECT_EQ(finding.fault, Fault::kMalformed);
  EXPECT_EQ(finding.remedy, "write apiVersion: v1");
}

TEST(Lint, OX16AVersionThatIsNotServedIsToldTheOneThatIs) {
  OwnerReference wrong = To(kOwner);
  wrong.api_version = "apps/v1beta2";
  const Finding finding = Checked().Add(kOwner).Add(OwnedBy(Pod("a"), {wrong})).Only();
  EXPECT_EQ(finding.fault, Fault::kWrongVersion);
  EXPECT_EQ(finding.remedy, "write apiVersion: apps/v1");
}

TEST(Lint, OX15AKindThatIsNotServedIsNoReasonToCallItGarbage) {
  Checked checked;
  checked.Add(OwnedBy(Pod("a"), {To(Of("acme.dev/v1", "Widget", "w")), To(Pod("gone"))}));
  const auto findings = Lint(checked.world);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].fault, Fault::kNotServed);
  EXPECT_FALSE(findings[1].deleted) << "one reference that cannot be judged keeps the object";
}

TEST(Lint, OX23WhereNotEveryKindWasReadOneThatWasNotIsUnknown) {
  Checked checked;
  checked.world.kinds.SetPartial();
  const Finding finding =
      checked.Add(OwnedBy(Pod("a"), {To(Of("acme.dev/v1", "Widget", "w"))})).Only();
  EXPECT_EQ(finding.fault, Fault::kUnknownKind);
  EXPECT_FALSE(finding.deleted);
  EXPECT_EQ(SeverityOf(finding), Severity::kWarning);
}

TEST(Lint, OX23ThereAnotherVersionOfAKindThatWasReadIsRight) {
  Checked checked;
  checked.world.kinds.SetPartial();
  OwnerReference older = To(kOwner);
  older.api_version = "apps/v1beta2";
  checked.Add(kOwner).Add(OwnedBy(Pod("a"), {older}));
  EXPECT_THAT(Lint(checked.world), IsEmpty());
}

TEST(Lint, OX13TwoObjectsOfOneUidAreFoundBoth) {
  Object twin = Pod("b");
  twin.id.uid = "uid-a";
  Checked checked;
  checked.Add(Pod("a")).Add(twin);
  const auto findings = Lint(checked.world);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].fault, Fault::kDuplicateUid);
  EXPECT_EQ(findings[1].fault, Fault::kDuplicateUid);
}

TEST(Lint, TwoControllersAreOneTooMany) {
  OwnerReference one = To(kOwner);
  OwnerReference two = To(Pod("b"));
  one.controller = two.controller = true;
  Checked checked;
  checked.Add(kOwner).Add(Pod("b")).Add(OwnedBy(Pod("a"), {one, two}));
  EXPECT_EQ(checked.Only().fault, Fault::kTwoControllers);
}

TEST(Lint, OX11ObjectsThatOwnEachOtherAreFound) {
  Checked checked;
  checked.Add(OwnedBy(Pod("a"), {To(Pod("b"))})).Add(OwnedBy(Pod("b"), {To(Pod("a"))}));
  checked.Add(OwnedBy(Pod("self"), {To(Pod("self"))})).Add(OwnedBy(Pod("below"), {To(Pod("a"))}));
  const auto findings = Lint(checked.world);
  ASSERT_THAT(findings, SizeIs(3)) << "whoever is below a circle is not in it";
  for (const Finding& finding : findings) EXPECT_EQ(finding.fault, Fault::kCircle);
}

TEST(Lint, AFinalizerOfSomebodyElseIsNamedWhereTheObjectIsInDeletion) {
  Object held = Pod("a");
  held.finalizers = {"x/y", std::string(kForegroundFinalizer)};
  Checked alive;
  EXPECT_THAT(Lint(alive.Add(held).world), IsEmpty());
  held.deleting = true;
  EXPECT_EQ(Checked().Add(held).Only().detail, "x/y");
}

TEST(Lint, EveryFaultHasACodeAndAConsequence) {
  for (int fault = 0; fault <= static_cast<int>(Fault::kHeld); ++fault) {
    EXPECT_FALSE(Code(static_cast<Fault>(fault)).empty());
    EXPECT_FALSE(Consequence(static_cast<Fault>(fault)).empty());
  }
}

std::vector<std::vector<std::size_t>> In(const std::vector<std::vector<std::size_t>>& edges) {
  return Circles(edges.size(), [&](std::size_t node) { return edges[node]; });
}

TEST(Circles, AChainOfAMillionIsNoRecursion) {
  std::vector<std::vector<std::size_t>> edges(1'000'000);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) edges[i] = {i + 1};
  EXPECT_THAT(In(edges), IsEmpty());
  edges.back() = {0};
  EXPECT_THAT(In(edges), SizeIs(1));
}

TEST(Circles, EachIsFoundOnce) {
  EXPECT_THAT(In({{1}, {2}, {0}, {3}, {1}, {}}), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3)));
}

}  // namespace
}  // namespace ebb::graph
