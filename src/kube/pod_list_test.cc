#include "kube/pod_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// As a kubelet writes it, cut down: one ordinary pod, one mirror, one evicted.
constexpr const char* kList = R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
 {"metadata":{"name":"web","namespace":"shop","uid":"u-1","creationTimestamp":"2026-11-30T10:00:00Z",
   "managedFields":[{"fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{}}}}}}]},
  "spec":{"nodeName":"n","initContainers":[{"name":"i","image":"registry.example/init:1"}],
   "containers":[{"name":"c","image":"registry.example/web@sha256:0a","resources":{"limits":{"cpu":1}}},
                 {"name":"d","image":"registry.example/side:1"}],
   "ephemeralContainers":[{"name":"e","image":"registry.example/debug:1","targetContainerName":"c"}],
   "volumes":[{"name":"v","image":{"reference":"registry.example/data:2","pullPolicy":"Always"}},
              {"name":"w","emptyDir":{}}]},
  "status":{"phase":"Running","containerStatuses":[{"image":"registry.example/other:9"}]}},
 {"metadata":{"name":"etcd-n","namespace":"kube-system","uid":"u-2","deletionTimestamp":"2026-11-30T10:00:00Z",
   "annotations":{"kubernetes.io/config.hash":"h-2","kubernetes.io/config.source":"file"}},
  "spec":{"containers":[{"name":"c","image":"registry.example/etcd:3"}]},"status":{}},
 {"metadata":{"name":"gone","namespace":"shop","uid":"u-3"},"spec":{"containers":[]},
  "status":{"phase":"Failed","reason":"Evicted"}}]})";

std::string ErrorOf(const std::string& json) {
  const auto list = ParsePodList(json);
  return list.ok() ? "taken" : list.error().message;
}

// A list of one pod with `part` in its place for spec and more.
std::string One(const std::string& part) {
  return R"({"kind":"PodList","items":[{"metadata":{"uid":"u","name":"n","namespace":"s"},)" +
         part + "}]}";
}

TEST(PodList, HasEveryImageOfEveryPod) {
  const auto list = ParsePodList(kList);
  ASSERT_TRUE(list.ok()) << list.error().message;
  ASSERT_THAT(list->pods, SizeIs(3));
  const image::Pod& web = list->pods[0];
  EXPECT_EQ(web.uid, "u-1");
  EXPECT_EQ(web.name, "web");
  EXPECT_EQ(web.pod_namespace, "shop");
  EXPECT_EQ(web.config_hash, "");
  EXPECT_FALSE(web.is_static);
  EXPECT_FALSE(web.terminated);
  EXPECT_FALSE(web.deleted);
  EXPECT_THAT(web.images, ElementsAre("registry.example/init:1", "registry.example/web@sha256:0a",
                                      "registry.example/side:1", "registry.example/debug:1",
                                      "registry.example/data:2"));
  EXPECT_EQ(list->next, "");
}

TEST(PodList, KnowsMirrorsPodsThatGoAndPodsThatEnded) {
  const auto list = ParsePodList(kList);
  ASSERT_TRUE(list.ok()) << list.error().message;
  EXPECT_EQ(list->pods[1].config_hash, "h-2");
  EXPECT_TRUE(list->pods[1].is_static);
  EXPECT_TRUE(list->pods[1].deleted);
  EXPECT_FALSE(list->pods[1].terminated);
  EXPECT_TRUE(list->pods[2].terminated);
  const auto done = ParsePodList(One(R"("status":{"phase":"Succeeded"})"));
  ASSERT_TRUE(done.ok());
  EXPECT_TRUE(done->pods[0].terminated);
}

TEST(PodList, MayBeEmptyOrOnePageOfMany) {
  for (const char* items : {"[]", "null"}) {
    const auto list = ParsePodList(R"({"kind":"PodList","items":)" + std::string(items) + "}");
    ASSERT_TRUE(list.ok()) << list.error().message;
    EXPECT_THAT(list->pods, IsEmpty());
  }
  const auto page = ParsePodList(R"({"kind":"PodList","metadata":{"continue":"abc"},"items":[]})");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->next, "abc");
}

TEST(PodList, IsRefusedAsAWholeForOnePodThatCannotBeRead) {
  const std::string good = R"("spec":{"containers":[{"image":"a"}]})";
  EXPECT_EQ(ErrorOf(One(good)), "taken");
  EXPECT_EQ(ErrorOf(One(R"("spec":{"containers":[{"image":"a"},{"image":7}]})")),
            "items[0].spec.containers[1].image is no text");
  EXPECT_EQ(ErrorOf(One(R"("spec":{"containers":{}})")), "items[0].spec.containers is no list");
  EXPECT_EQ(ErrorOf(One(R"("spec":{"initContainers":["a"]})")),
            "items[0].spec.initContainers[0] is no object");
  EXPECT_EQ(ErrorOf(One(R"("spec":[])")), "items[0].spec is no object");
  EXPECT_EQ(ErrorOf(One(R"("spec":{"volumes":[{"image":"a"}]})")),
            "items[0].spec.volumes[0].image is no object");
  EXPECT_EQ(ErrorOf(One(R"("spec":{"volumes":[{"image":{"reference":[]}}]})")),
            "items[0].spec.volumes[0].image.reference is no text");
  EXPECT_EQ(ErrorOf(One(R"("status":{"phase":true})")), "items[0].status.phase is no text");
  EXPECT_EQ(ErrorOf(R"({"kind":"PodList","items":[{"metadata":{"uid":"u","name":"n"}}]})"),
            "items[0] has no metadata with uid, name and namespace");
  EXPECT_EQ(ErrorOf(R"({"kind":"PodList","items":[7]})"), "items[0] is no object");
  EXPECT_EQ(ErrorOf(R"({"kind":"PodList","items":[{"metadata":{"annotations":"a"}}]})"),
            "items[0].metadata.annotations is no object");
}

TEST(PodList, IsNothingElseThanAPodList) {
  EXPECT_EQ(ErrorOf("{}"), "it is no PodList but ''");
  EXPECT_EQ(ErrorOf("[]"), "it is no object");
  EXPECT_EQ(ErrorOf("null"), "it is no PodList but ''");
  EXPECT_EQ(ErrorOf(R"({"kind":"Status","items":[]})"), "it is no PodList but 'Status'");
  EXPECT_EQ(ErrorOf(R"({"kind":"PodList"})"), "the list has no items, not even none");
  EXPECT_EQ(ErrorOf(R"({"kind":"PodList","items":{}})"), "items is no list");
  const std::string whole(kList);
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) {
    EXPECT_NE(ErrorOf(whole.substr(0, cut)), "taken") << cut;
  }
}

TEST(Manifest, IsReadFromYamlAndFromJson) {
  for (const char* text :
       {"# made by hand\napiVersion: v1\nkind: Pod\nmetadata:\n  name: etcd\nspec:\n  containers:\n"
        "  - name: c\n    image: registry.example/etcd:3\n  initContainers: [{image: 012}]\n",
        "---\n{kind: Pod, metadata: {name: etcd}, spec: {initContainers: [{image: '012'}], "
        "containers: [{image: \"registry.example/etcd:3\"}]}}\n",
        "{kind: Pod, metadata: {name: etcd}, spec: {initContainers: [{image: '012'}], "
        "containers: [{image: \"registry.example/etcd:3\"}]}}",
        " {\"kind\":\"Pod\",\"metadata\":{\"name\":\"etcd\"},\"spec\":{\"initContainers\":[{"
        "\"image\":"
        "\"012\"}],\"containers\":[{\"image\":\"registry.example\\/etcd:3\"}]}}"}) {
    const auto pod = ParseManifest(text);
    ASSERT_TRUE(pod.ok()) << text << pod.error().message;
    EXPECT_EQ(pod->name, "etcd");
    EXPECT_EQ(pod->pod_namespace, "default");
    EXPECT_TRUE(pod->is_static);
    EXPECT_THAT(pod->images, ElementsAre("012", "registry.example/etcd:3"));
  }
}

TEST(Manifest, ThatIsNoPodIsRefused) {
  const auto refusal = [](const char* text) {
    const auto pod = ParseManifest(text);
    return pod.ok() ? "taken" : pod.error().message;
  };
  EXPECT_THAT(refusal(""), HasSubstr("it is no Pod"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("it is no Pod"));
  EXPECT_THAT(refusal("kind: ConfigMap\n"), HasSubstr("it is no Pod but 'ConfigMap'"));
  EXPECT_THAT(refusal("some text"), HasSubstr("it is no object"));
  EXPECT_THAT(refusal("kind: Pod\n"), HasSubstr("it has no metadata.name"));
  EXPECT_THAT(refusal("kind: Pod\nmetadata: {name: a}\nspec: {containers: x}\n"),
              HasSubstr("spec.containers is no list"));
  EXPECT_THAT(refusal("{\"kind\":\"Pod\""), HasSubstr("it is no YAML"));
}

}  // namespace
}  // namespace ebb::kube
