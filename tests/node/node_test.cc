// The bench proves itself: what later tests rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "node/image_sets.h"
#include "node/node_fixture.h"

namespace ebb::node {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr const char* kApp = "localhost/app:1";

class Bench : public NodeTest {
 protected:
  // The image as CRI lists it; one without an id when it is not there.
  static ImageInfo Listed(Node& node, const std::string& id) {
    const auto images = node.pods().Images();
    if (!images.ok()) return {};
    for (const ImageInfo& image : *images) {
      if (image.id == id) return image;
    }
    return {};
  }

  static std::unique_ptr<Node> NodeWithApp(const NodeOptions& options = {}) {
    auto node = MakeNode(options);
    if (node == nullptr) return nullptr;
    const std::array<ImageSpec, 1> app{AppImage(kApp)};
    const auto loaded = node->Load(app);
    EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    return loaded.ok() ? std::move(node) : nullptr;
  }
};

TEST_F(Bench, ImagesAreListedUnderTheIdThatTheMakerSaid) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  ImageSpec spec = AppImage("localhost/app:1", {300'000});
  spec.tags.emplace_back("localhost/app:latest");
  spec.repositories = {"localhost/app"};
  spec.gzip = true;
  const auto made = node->Load(std::array{spec});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const ImageInfo image = Listed(*node, made->front().id);
  EXPECT_THAT(image.tags, UnorderedElementsAre("localhost/app:1", "localhost/app:latest"));
  EXPECT_THAT(image.digests, ElementsAre("localhost/app@" + made->front().digest));
  EXPECT_GT(image.size, 300'000);
}

TEST_F(Bench, AnImageWithOnlyADigestIsDangling) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  const ImageSpec spec{.repositories = {"localhost/old"}, .layers = {{"old", {1000}}}};
  const auto made = node->Load(std::array{spec});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const ImageInfo image = Listed(*node, made->front().id);
  EXPECT_THAT(image.tags, IsEmpty());
  EXPECT_THAT(image.digests, ElementsAre(StartsWith("localhost/old@sha256:")));
}

TEST_F(Bench, AnIndexOfPlatformsIsListedAsThisMachinesImage) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  ImageSpec spec = AppImage("localhost/many:1");
  spec.other_architectures = {"s390x", "riscv64"};
  const auto made = node->Load(std::array{spec});
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_THAT(Listed(*node, made->front().id).tags, ElementsAre("localhost/many:1"));
}

TEST_F(Bench, EqualLayersAreStoredOnce) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  const LayerSpec base{"base", {1000}};
  const LayerSpec own{"own", {1000}};
  const ImageSpec first{.tags = {"localhost/a:1"}, .layers = {base}};
  const ImageSpec second{.tags = {"localhost/b:1"}, .layers = {base, own}};
  // What the import of the sandbox image left behind is collected first, or it would go in between.
  const auto lease = node->containerd().Ctr({"leases", "create"});
  ASSERT_TRUE(lease.ok()) << lease.error().message;
  const std::string id = lease->substr(0, lease->find('\n'));
  ASSERT_TRUE(node->containerd().Ctr({"leases", "delete", "--sync", id}).ok());
  const auto before = node->containerd().Ctr({"content", "ls", "--quiet"});
  ASSERT_TRUE(node->Load(std::array{first, second}).ok());
  const auto after = node->containerd().Ctr({"content", "ls", "--quiet"});
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  constexpr int kManifestsConfigsAndLayers = 2 + 2 + 2;
  EXPECT_EQ(lines(*after) - lines(*before), kManifestsConfigsAndLayers);
}

TEST_F(Bench, ContainersCanBeRunningCreatedAndExited) {
  const auto node = NodeWithApp();
  ASSERT_NE(node, nullptr);
  Pods& pods = node->pods();
  const auto running = pods.RunApp("running", kApp);
  ASSERT_TRUE(running.ok()) << running.error().message;
  const auto exited = pods.RunToEnd("exited", kApp);
  ASSERT_TRUE(exited.ok()) << exited.error().message;
  const auto pod = pods.RunPod("created");
  ASSERT_TRUE(pod.ok()) << pod.error().message;
  const auto created = pods.CreateContainer(*pod, {.name = "created", .image = kApp});
  ASSERT_TRUE(created.ok()) << created.error().message;
  EXPECT_EQ(*pods.StateOf(*running), ContainerState::kRunning);
  EXPECT_EQ(*pods.StateOf(*exited), ContainerState::kExited);
  EXPECT_EQ(*pods.StateOf(*created), ContainerState::kCreated);
  EXPECT_EQ(pods.ReadyPods()->size(), 3U);
}

TEST_F(Bench, AStoppedContainerExitsAndARemovedOneIsGone) {
  const auto node = NodeWithApp();
  ASSERT_NE(node, nullptr);
  Pods& pods = node->pods();
  const auto container = pods.RunApp("app", kApp);
  ASSERT_TRUE(container.ok()) << container.error().message;
  ASSERT_TRUE(pods.StopContainer(*container).ok());
  EXPECT_EQ(*pods.StateOf(*container), ContainerState::kExited);
  ASSERT_TRUE(pods.RemoveContainer(*container).ok());
  EXPECT_EQ(pods.StateOf(*container).error().code, base::ErrorCode::kNotFound);
  const std::string pod = pods.ReadyPods()->front().id;
  ASSERT_TRUE(pods.StopPod(pod).ok());
  ASSERT_TRUE(pods.RemovePod(pod).ok());
  EXPECT_THAT(*pods.ReadyPods(), IsEmpty());
}

TEST_F(Bench, AFolderOfTheHostCanBeMounted) {
  const auto node = NodeWithApp();
  ASSERT_NE(node, nullptr);
  const auto pod = node->pods().RunPod("pod");
  ASSERT_TRUE(pod.ok()) << pod.error().message;
  const ContainerSpec spec{
      .name = "app", .image = kApp, .mounts = {{.container_path = "/data", .host_path = "/run"}}};
  const auto container = node->pods().CreateContainer(*pod, spec);
  ASSERT_TRUE(container.ok()) << container.error().message;
  EXPECT_TRUE(node->pods().StartContainer(*container).ok());
}

TEST_F(Bench, AnImageThatIsNotThereCannotBePulled) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  EXPECT_FALSE(node->pods().PullImage("localhost/absent:1").ok());
  EXPECT_FALSE(node->pods().PullImage("registry.k8s.io/pause:3.9").ok());
}

TEST_F(Bench, WithoutItsSandboxImageNoPodStarts) {
  const auto node = NodeWithApp();
  ASSERT_NE(node, nullptr);
  ASSERT_TRUE(node->pods().RunPod("before").ok());
  ASSERT_TRUE(node->pods().RemoveImage("localhost/pause:1").ok());
  EXPECT_FALSE(node->pods().RunPod("after").ok());
}

TEST_F(Bench, FillsTmpfsToThePercentThatTheKubeletSees) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  for (const int percent : {96, 50, 82, 100}) {
    const auto filled = node->FillTo({percent});
    ASSERT_TRUE(filled.ok()) << filled.error().message;
    EXPECT_EQ(node->Used()->value, percent);
  }
}

TEST_F(Bench, FillsExt4OnALoopDeviceToThePercentThatTheKubeletSees) {
  NodeOptions options;
  options.volume.kind = Filesystem::kExt4;
  const auto node = NodeWithApp(options);
  ASSERT_NE(node, nullptr);
  if (node->volume().kind() != Filesystem::kExt4) GTEST_SKIP() << "loop devices are refused here";
  ASSERT_TRUE(node->FillTo({96}).ok());
  EXPECT_EQ(node->Used()->value, 96);
  EXPECT_TRUE(node->pods().RunApp("app", kApp).ok());
}

TEST_F(Bench, FillingBelowWhatIsThereSaysSo) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  ASSERT_TRUE(node->Load(std::array{AppImage(kApp, {30'000'000})}).ok());
  EXPECT_EQ(node->FillTo({2}).error().code, base::ErrorCode::kInternal);
}

TEST_F(Bench, PodsOutliveACrashOfTheRuntime) {
  const auto node = NodeWithApp();
  ASSERT_NE(node, nullptr);
  const auto container = node->pods().RunApp("app", kApp);
  ASSERT_TRUE(container.ok()) << container.error().message;
  const pid_t before = node->containerd().pid();
  const auto back = node->KillAndStart();
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_NE(node->containerd().pid(), before);
  EXPECT_EQ(*node->pods().StateOf(*container), ContainerState::kRunning);
  EXPECT_TRUE(node->pods().RunApp("later", kApp).ok());
}

TEST_F(Bench, AStoppedRuntimeIsUnavailable) {
  const auto node = MakeNode();
  ASSERT_NE(node, nullptr);
  node->containerd().Stop();
  EXPECT_EQ(node->pods().Images().error().code, base::ErrorCode::kUnavailable);
  ASSERT_TRUE(node->containerd().Start().ok());
  EXPECT_TRUE(node->pods().WaitReady().ok());
}

TEST_F(Bench, TwoNodesDoNotSeeEachOther) {
  const auto one = NodeWithApp();
  const auto two = NodeWithApp();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(two, nullptr);
  ASSERT_TRUE(one->pods().RunApp("app", kApp).ok());
  ASSERT_TRUE(two->pods().RunApp("app", kApp).ok());
  ASSERT_TRUE(two->pods().RemoveImage(kApp).ok());
  EXPECT_EQ(one->pods().Images()->size(), 2U);
  EXPECT_EQ(two->pods().Images()->size(), 1U);
  EXPECT_EQ(one->pods().ReadyPods()->size(), 1U);
}

}  // namespace
}  // namespace ebb::node
