// Who a virtual owner may be instead: TestAlternateOwnerIdentity of kube-controller-manager (v1.36)
// as sentences.
#include "graph/alternate.h"

#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

constexpr const char* kOwner = "uid-owner";

OwnerReference Named(const std::string& version, const std::string& kind = "Kind",
                     const std::string& name = "owner") {
  return {.api_version = version, .kind = kind, .name = name, .uid = kOwner};
}

// Dependents of one owner, each by its namespace and how it names it.
class Family {
 public:
  Family& Add(const std::string& ns, const std::vector<OwnerReference>& owners) {
    const std::string name = "d" + std::to_string(dependents_.size());
    const Coordinates id{"v1", "Dependent", ns, name, "uid-" + name};
    dependents_.push_back(graph_.Insert(id, {}));
    graph_.SetOwners(dependents_.back(), owners);
    return *this;
  }
  std::optional<Coordinates> Instead(const Coordinates& absent) {
    if (graph_.Find(kOwner) == Graph::kNone) (void)graph_.Insert(absent, {.is_virtual = true});
    return AlternateOwner(graph_, graph_.Find(kOwner), dependents_, absent);
  }

 private:
  Graph graph_;
  std::vector<Graph::Id> dependents_;
};

TEST(Alternate, OA1TheOtherVersion) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v2")});
  EXPECT_EQ(family.Instead(Named("v1").In("ns1")), Named("v2").In("ns1"));
}

TEST(Alternate, OA2TheOtherKind) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v1", "Other")});
  EXPECT_EQ(family.Instead(Named("v1").In("ns1")), Named("v1", "Other").In("ns1"));
}

TEST(Alternate, OA3TheSameInAnotherNamespace) {
  Family family;
  family.Add("ns1", {Named("v1")}).Add("ns2", {Named("v1")});
  EXPECT_EQ(family.Instead(Named("v1").In("ns1")), Named("v1").In("ns2"));
}

TEST(Alternate, OA4TheOtherName) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v1", "Kind", "other")});
  EXPECT_EQ(family.Instead(Named("v1").In("ns1")), Named("v1", "Kind", "other").In("ns1"));
}

TEST(Alternate, OA5AnotherVersionOfWhatIsInNoNamespaceMayBeInOne) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v2")});
  EXPECT_EQ(family.Instead(Named("v1").In("")), Named("v2").In("ns1"));
}

TEST(Alternate, OA6SoMayAnotherKind) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v1", "Other")});
  EXPECT_EQ(family.Instead(Named("v1").In("")), Named("v1", "Other").In("ns1"));
}

TEST(Alternate, OA7TheSameOutsideNamespacesIsTheSameForEverybody) {
  Family family;
  family.Add("ns1", {Named("v1")}).Add("ns2", {Named("v1")});
  EXPECT_FALSE(family.Instead(Named("v1").In("")));
}

TEST(Alternate, OA8AnotherNameOutsideNamespacesIsOutsideNamespacesToo) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v1", "Kind", "other")});
  EXPECT_EQ(family.Instead(Named("v1").In("")), Named("v1", "Kind", "other").In(""));
}

TEST(Alternate, OA9ToOA12OneAfterTheOtherAndThenFromTheBeginning) {
  for (const char* ns : {"ns1", ""}) {
    Family family;
    family.Add(ns, {Named("v1"), Named("v2"), Named("v3"), Named("v4"), Named("v5")});
    EXPECT_EQ(family.Instead(Named("v5").In(ns)), Named("v1").In(ns));
    EXPECT_EQ(family.Instead(Named("v4").In(ns)), Named("v5").In(ns));
  }
}

TEST(Alternate, OA13AReferenceToAnotherOwnerIsNone) {
  Family family;
  OwnerReference other = Named("v2");
  other.uid = "uid-other";
  family.Add("ns1", {Named("v1"), other});
  EXPECT_FALSE(family.Instead(Named("v1").In("ns1")));
}

TEST(Alternate, OA14TheSameTwiceIsNone) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v1")});
  EXPECT_FALSE(family.Instead(Named("v1").In("ns1")));
}

TEST(Alternate, OA15TheSameAlternateTwiceIsOne) {
  Family family;
  family.Add("ns1", {Named("v1"), Named("v2"), Named("v2")});
  EXPECT_EQ(family.Instead(Named("v1").In("ns1")), Named("v2").In("ns1"));
}

}  // namespace
}  // namespace ebb::graph
