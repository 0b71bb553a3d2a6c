#include "graph/find.h"

#include "graph/graph_test.h"

namespace ebb::graph {
namespace {

using ::testing::HasSubstr;

class Find : public ::testing::Test {
 protected:
  Find() {
    world.kinds.Serve("v1", "Pod", true);
    world.kinds.Serve("v1", "Node", false);
    world.kinds.Serve("apps/v1", "Deployment", true);
    world.kinds.Serve("acme.dev/v1", "Ox", true, "oxen");
    world.kinds.Serve("other.dev/v1", "Ox", true, "oxen");
    for (const Object& object : {web, Object{.id = {"v1", "Node", "", "web", "uid-node"}},
                                 Of("acme.dev/v1", "Ox", "one")}) {
      world.Add(object);
    }
  }

  std::string NameOfFound(std::string_view text, std::string_view ns = "") const {
    const auto found = FindObject(world, text, ns);
    return found.ok() ? NameOf(world.graph().IdentityOf(*found)) : found.error().message;
  }

  Object web = Of("apps/v1", "Deployment", "web", "shop");
  World world;
};

TEST_F(Find, TheKindMayBeWrittenAsKubectlTakesIt) {
  world.Add({.id = {"v1", "Pod", "shop", "web", "uid-pod"}});
  for (const char* text : {"Deployment/web", "deployment/web", "deployments/web", "deploy/web",
                           "deployments.apps/web", "Deploy.apps/web"}) {
    EXPECT_EQ(NameOfFound(text), "Deployment shop/web") << text;
  }
  EXPECT_EQ(NameOfFound("oxen/one"), "Ox ns1/one");
  EXPECT_EQ(NameOfFound("no/web", "shop"), "Node web")
      << "cluster-scoped: the namespace is no matter";
}

TEST_F(Find, OfSeveralNoneIsGuessed) {
  world.Add({.id = {"apps/v1", "Deployment", "test", "web", "uid-other"}});
  world.Add({.id = {"other.dev/v1", "Ox", "ns1", "one", "uid-ox"}});
  EXPECT_THAT(NameOfFound("deploy/web"),
              HasSubstr("Deployment shop/web (apps/v1), Deployment test"));
  EXPECT_EQ(FindObject(world, "deploy/web", "").error().code, base::ErrorCode::kUsage);
  EXPECT_EQ(NameOfFound("deploy/web", "test"), "Deployment test/web");
  EXPECT_THAT(NameOfFound("ox/one"), HasSubstr("is 2 objects"));
  EXPECT_EQ(NameOfFound("ox.acme.dev/one"), "Ox ns1/one");
}

TEST_F(Find, WhatIsNotThereIsSaid) {
  EXPECT_EQ(NameOfFound("pod/none", "shop"), "there is no pod/none in namespace shop");
  EXPECT_EQ(FindObject(world, "pod/none", "").error().code, base::ErrorCode::kNotFound);
  for (const char* text : {"web", "/web", "deploy/", ""}) {
    EXPECT_THAT(NameOfFound(text), HasSubstr("is not KIND/NAME")) << text;
  }
}

}  // namespace
}  // namespace ebb::graph
