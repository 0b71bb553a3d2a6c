#include "kube/dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/temp_dir.h"

namespace ebb::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Dump : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(directory() + "/" + name, std::ios::binary) << text;
    return directory() + "/" + name;
  }
  std::string Pack(const std::string& name, const std::string& text) const {
    const std::string path = directory() + "/" + name;
    gzFile file = gzopen(path.c_str(), "wb");
    (void)gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    (void)gzclose(file);
    return path;
  }
  std::string Refusal(const std::string& text) const {
    const auto world = ReadDump({Write("bad", text)});
    return world.ok() ? "" : world.error().message;
  }
  std::string directory() const { return directory_.path(); }

 private:
  testing::TempDir directory_;
};

std::string PodOf(const std::string& name, const std::string& more = "") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","namespace":"shop","uid":"uid-)" + name + "\"" + more + "}}";
}

std::string ListOf(const std::string& items) {
  return R"({"apiVersion":"v1","items":[)" + items + R"(],"kind":"List","metadata":{}})";
}

graph::Object Find(const graph::World& world, const std::string& uid) {
  const auto id = world.Find(uid);
  return id == graph::Graph::kNone ? graph::Object{} : world.At(id);
}

TEST_F(Dump, AnObjectIsReadWithItsOwnersAndWhatKeepsIt) {
  const auto world = ReadDump(
      {Write("pod.json",
             PodOf("web-1", R"(,"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["x/y"],
        "managedFields":[{"kind":"no"}],"ownerReferences":[{"apiVersion":"apps/v1",
        "kind":"ReplicaSet","name":"web","uid":"uid-web","controller":true,
        "blockOwnerDeletion":true}])"))});
  ASSERT_TRUE(world.ok()) << world.error().message;
  const graph::Object pod = Find(*world, "uid-web-1");
  EXPECT_EQ(pod.id, (graph::Coordinates{"v1", "Pod", "shop", "web-1", "uid-web-1"}));
  EXPECT_TRUE(pod.deleting);
  EXPECT_THAT(pod.finalizers, ElementsAre("x/y"));
  const graph::OwnerReference owner{.api_version = "apps/v1",
                                    .kind = "ReplicaSet",
                                    .name = "web",
                                    .uid = "uid-web",
                                    .block = true,
                                    .controller = true};
  EXPECT_THAT(pod.owners, ElementsAre(owner));
}

TEST_F(Dump, ManyFilesAndManyDocumentsAreOneCluster) {
  const auto world =
      ReadDump({Write("a.json", ListOf(PodOf("a") + "," + PodOf("b"))),
                Write("b.json", PodOf("c") + "\n" + PodOf("d")), Pack("c.json.gz", PodOf("e"))});
  ASSERT_TRUE(world.ok()) << world.error().message;
  EXPECT_EQ(world->size(), 5U);
}

TEST_F(Dump, OfADirectoryEveryFileWithObjectsIsRead) {
  std::filesystem::create_directory(directory() + "/below");
  Write("a.json", PodOf("a"));
  Write("notes.txt", "no objects");
  Write("below/b.yml", "apiVersion: v1\nkind: Pod\nmetadata: {name: b, uid: uid-b}\n");
  Pack("below/c.yaml.gz", "apiVersion: v1\nkind: Pod\nmetadata: {name: c, uid: uid-c}\n");
  const auto world = ReadDump({directory()});
  ASSERT_TRUE(world.ok()) << world.error().message;
  EXPECT_EQ(world->size(), 3U);
}

TEST_F(Dump, YamlOfManyDocumentsIsReadLikeJson) {
  const auto world = ReadDump({Write("all.yaml", R"(---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: a
    namespace: shop
    uid: uid-a
    ownerReferences:
    - {apiVersion: v1, kind: Pod, name: b, uid: uid-b, blockOwnerDeletion: true}
---
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: shop, uid: uid-b}
)")});
  ASSERT_TRUE(world.ok()) << world.error().message;
  EXPECT_EQ(world->size(), 2U);
  EXPECT_TRUE(Find(*world, "uid-a").owners.at(0).blocks());
}

TEST_F(Dump, AnItemOfATypedListIsOfItsKind) {
  const auto world = ReadDump({Write("raw.json", R"({"kind":"ReplicaSetList","apiVersion":"apps/v1",
      "items":[{"metadata":{"name":"web","namespace":"shop","uid":"u"}}]})")});
  ASSERT_TRUE(world.ok()) << world.error().message;
  EXPECT_EQ(Find(*world, "u").id,
            (graph::Coordinates{"apps/v1", "ReplicaSet", "shop", "web", "u"}));
}

TEST_F(Dump, OX23AKindOfWhichNothingWasReadIsNotKnown) {
  const auto world = ReadDump({Write("pod.json", PodOf("a"))});
  ASSERT_TRUE(world.ok());
  EXPECT_EQ(world->kinds.IsNamespaced("v1", "Pod"), true);
  EXPECT_EQ(world->kinds.IsNamespaced("apps/v1", "ReplicaSet"), std::nullopt);
  EXPECT_FALSE(world->kinds.complete());
}

TEST_F(Dump, ADefinitionTellsHowItsResourcesAreCalled) {
  const auto world = ReadDump({Write("crd.json", R"({"apiVersion":"apiextensions.k8s.io/v1",
      "kind":"CustomResourceDefinition","metadata":{"name":"oxen.acme.dev","uid":"u1"},
      "spec":{"group":"acme.dev","names":{"kind":"Ox","plural":"oxen"}}}
      {"apiVersion":"acme.dev/v1","kind":"Ox","metadata":{"name":"one","uid":"u2"}})")});
  ASSERT_TRUE(world.ok()) << world.error().message;
  EXPECT_EQ(world->kinds.ResourceOf("acme.dev/v1", "Ox"), "oxen");
}

TEST_F(Dump, OX13TwoObjectsOfOneUidAreBothNamed) {
  const auto world = ReadDump(
      {Write("two.json", PodOf("a") + R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"z",
      "uid":"uid-a"}})")});
  ASSERT_TRUE(world.ok());
  ASSERT_EQ(world->duplicates().size(), 1U);
  EXPECT_EQ(world->duplicates()[0].name, "z");
}

TEST_F(Dump, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_THAT(Refusal(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})"),
              HasSubstr("bad: it has no metadata.uid"));
  EXPECT_THAT(Refusal(ListOf(PodOf("a") + "," + PodOf("b", R"(,"finalizers":"x")"))),
              HasSubstr("bad: items[1].metadata.finalizers is no list"));
  EXPECT_THAT(Refusal(ListOf(PodOf("a", R"(,"ownerReferences":[{"name":"b"}])"))),
              HasSubstr("items[0].metadata.ownerReferences[0] has no uid"));
  EXPECT_THAT(Refusal(ListOf(PodOf("a") + ",7")), HasSubstr("items[0]"));
  EXPECT_THAT(Refusal(ListOf("[" + PodOf("a") + "]")), HasSubstr("items[0] is no object"));
  EXPECT_THAT(Refusal(R"({"metadata":{"name":"a","uid":"u"}})"),
              HasSubstr("it has no kind and apiVersion"));
  EXPECT_THAT(Refusal("[" + PodOf("a") + "]"), HasSubstr("it is no object"));
  for (const char* word : {"null", "42 ", "\"text\""}) EXPECT_NE(Refusal(word), "") << word;
}

TEST_F(Dump, WhatIsCutOffIsNotTakenForAll) {
  const std::string list = ListOf(PodOf("a") + "," + PodOf("b"));
  for (std::size_t size = 1; size < list.size(); ++size) {
    EXPECT_THAT(Refusal(list.substr(0, size)), HasSubstr("it ends too early")) << size;
  }
  std::string noise(100'000, ' ');
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>('a' + i * i % 7);
  const std::string path = Pack("cut.json.gz", PodOf("a", R"(,"generateName":")" + noise + "\""));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  const auto world = ReadDump({path});
  ASSERT_FALSE(world.ok());
  EXPECT_THAT(world.error().message, HasSubstr("cut.json.gz: its gzip is cut off"));
}

TEST_F(Dump, WhatIsNotThereOrEmptyIsSaid) {
  EXPECT_EQ(ReadDump({directory() + "/none"}).error().code, base::ErrorCode::kNotFound);
  EXPECT_THAT(ReadDump({directory()}).error().message, HasSubstr("there is no *.json"));
  EXPECT_THAT(Refusal(""), HasSubstr("there is no object in it"));
  EXPECT_THAT(Refusal(ListOf("")), HasSubstr("there is no object in it"));
}

TEST_F(Dump, YamlTooLargeNamesTheWayOut) {
  EXPECT_THAT(Refusal("#" + std::string(std::size_t{65} << 20U, 'x')), HasSubstr("-o json"));
}

}  // namespace
}  // namespace ebb::kube
