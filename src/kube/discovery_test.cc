#include "kube/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// api_version, kind, name, namespaced, lists.
std::string Text(const Resource& resource) {
  return resource.api_version + " " + resource.kind + " " + resource.name +
         (resource.namespaced ? " namespaced" : " cluster") + (resource.lists ? " lists" : "");
}
std::vector<std::string> Texts(const std::vector<Resource>& resources) {
  std::vector<std::string> texts;
  texts.reserve(resources.size());
  for (const Resource& resource : resources) texts.push_back(Text(resource));
  return texts;
}

TEST(Discovery, TakesEveryVersionOfEveryGroupAndNamesThoseThatAreDown) {
  Discovery found;
  const auto read = ReadGroups(R"({"kind":"APIGroupDiscoveryList","items":[
    {"metadata":{"name":"apps"},"versions":[
      {"version":"v1","freshness":"Current","resources":[
        {"resource":"deployments","responseKind":{"group":"","version":"","kind":"Deployment"},
         "scope":"Namespaced","verbs":["get","list"],
         "subresources":[{"subresource":"scale","responseKind":{"kind":"Scale"}}]},
        {"resource":"kindless","responseKind":null,"scope":"Namespaced","verbs":["list"]}]},
      {"version":"v1beta2","resources":[
        {"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced",
         "verbs":["list"]},
        {"resource":"old","responseKind":{"kind":"Old"},"scope":"Cluster","verbs":["list"]}]}]},
    {"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1","freshness":"Stale",
      "resources":[{"resource":"x","responseKind":{"kind":"X"},"verbs":["list"]}]}]}]})",
                               found);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_THAT(Texts(found.resources),
              ElementsAre("apps/v1 Deployment deployments namespaced lists",
                          "apps/v1beta2 Deployment deployments namespaced lists",
                          "apps/v1beta2 Old old cluster lists"));
  EXPECT_THAT(found.failed, ElementsAre("metrics.k8s.io/v1"));
  EXPECT_THAT(Texts(ToRead(found)), ElementsAre("apps/v1 Deployment deployments namespaced lists",
                                                "apps/v1beta2 Old old cluster lists"));
}

TEST(Discovery, OfOlderServersTakesThePreferredVersionFirst) {
  EXPECT_THAT(*ReadVersions(R"({"kind":"APIVersions","versions":["v1"]})"), ElementsAre("v1"));
  EXPECT_THAT(*ReadVersions(R"({"kind":"APIGroupList","groups":[{"name":"batch",
    "preferredVersion":{"groupVersion":"batch/v1"},
    "versions":[{"groupVersion":"batch/v1beta1"},{"groupVersion":"batch/v1"}]}]})"),
              ElementsAre("batch/v1", "batch/v1beta1"));
  const auto resources = ReadResources(R"({"kind":"APIResourceList","resources":[
    {"name":"pods","kind":"Pod","namespaced":true,"verbs":["list"]},
    {"name":"pods/log","kind":"Pod","namespaced":true,"verbs":["get"]},
    {"name":"bindings","kind":"Binding","namespaced":true,"verbs":["create"]}]})",
                                       "v1");
  EXPECT_THAT(Texts(*resources),
              ElementsAre("v1 Pod pods namespaced lists", "v1 Binding bindings namespaced"));
}

TEST(Discovery, OfEventsReadsNeitherForm) {
  Discovery found;
  for (const char* version : {"v1", "events.k8s.io/v1", "other/v1"}) {
    found.resources.push_back({version, "Event", "events", true, true});
  }
  EXPECT_THAT(Texts(ToRead(found)), ElementsAre("other/v1 Event events namespaced lists"));
}

TEST(Discovery, KnowsWhereObjectsAre) {
  const Resource pods{"v1", "Pod", "pods", true, true};
  const Resource roles{"rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", false, true};
  EXPECT_EQ(PathOf(pods), "/api/v1/pods");
  EXPECT_EQ(PathOf(pods, "a/b"), "/api/v1/namespaces/a%2Fb/pods");
  EXPECT_EQ(PathOf(roles, "shop"), "/apis/rbac.authorization.k8s.io/v1/clusterroles");
}

TEST(Discovery, RefusesWhatItIsNot) {
  Discovery found;
  EXPECT_THAT(ReadGroups(R"({"kind":"APIVersions"})", found).error().message,
              HasSubstr("no APIGroupDiscoveryList but 'APIVersions'"));
  EXPECT_FALSE(ReadGroups("404 page not found", found).ok());
  EXPECT_THAT(ReadGroups(R"({"kind":"APIGroupDiscoveryList","items":[{"versions":7}]})", found)
                  .error()
                  .message,
              HasSubstr("items[0].versions is no list"));
  EXPECT_FALSE(ReadVersions(R"({"kind":"Status"})").ok());
  EXPECT_FALSE(ReadVersions(R"({"kind":"APIVersions","versions":{}})").ok());
  EXPECT_FALSE(ReadResources(R"({"kind":"APIGroupList"})", "v1").ok());
}

}  // namespace
}  // namespace ebb::kube
