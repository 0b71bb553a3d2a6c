// The contract of engine/ports.h, for every profile, direct and through gRPC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "contract/promises.h"
#include "contract/subject.h"
#include "image/use.h"

namespace ebb::contract {
namespace {

using image::ContainerState;
using image::Outcome;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const testing::Profile& profile : testing::AllProfiles()) {
    cases.push_back({Path::kDirect, profile});
    cases.push_back({Path::kThroughGrpc, profile});
  }
  return cases;
}

class Contract : public ::testing::TestWithParam<Case> {
 protected:
  // A node as they are: shared layers, several names, no name, every container state, sandboxes.
  void Populate() {
    base = node.AddImage({.name = "registry.example/base:1", .layers = {{"base", {1000}}}});
    app = node.AddImage(
        {.name = "registry.example/app:1", .layers = {{"base", {1000}}, {"app", {500}}}});
    node.Tag(app, "registry.example/app:stable");
    pause = node.AddImage("registry.example/pause:3", {10});
    nameless = node.AddImage("registry.example/old:1", {70});
    node.DropNames(nameless);
    sandbox = node.AddSandbox("registry.example/pause:3");
    for (const ContainerState state :
         {ContainerState::kCreated, ContainerState::kRunning, ContainerState::kExited}) {
      node.AddContainer({.image = app.value, .state = state, .sandbox = sandbox});
    }
  }

  engine::RemovalResult Remove(const image::ImageId& id) {
    const engine::Victim victim{id};
    return subject.remover().Remove(std::span(&victim, 1)).front();
  }

  Subject subject{GetParam()};
  testing::FakeNode& node = subject.node;
  engine::Runtime& runtime = subject.runtime();
  const testing::Profile& profile = node.profile();
  image::ImageId base, app, pause, nameless;
  std::string sandbox;
};

std::string NameOf(const ::testing::TestParamInfo<Case>& tested) {
  return tested.param.profile.name +
         (tested.param.path == Path::kDirect ? "Direct" : "ThroughGrpc");
}

INSTANTIATE_TEST_SUITE_P(EveryProfile, Contract, ::testing::ValuesIn(AllCases()), NameOf);

TEST_P(Contract, HoldsOnANodeWithEverything) {
  Populate();
  ExpectIdentity(runtime);
  ExpectSoundInventory(runtime);
  ExpectStoragePaths(runtime);
  ExpectNamesResolve(runtime);
  ExpectOneAnswerPerQuestion(runtime);
}

TEST_P(Contract, HoldsOnAnEmptyNode) {
  ExpectIdentity(runtime);
  ExpectSoundInventory(runtime);
  ExpectStoragePaths(runtime);
  ExpectNamesResolve(runtime);
  ExpectOneAnswerPerQuestion(runtime);
}

TEST_P(Contract, SaysWhoAnswers) {
  const auto facts = runtime.Identify();
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->runtime.name, profile.runtime_name);
  EXPECT_EQ(facts->runtime.version, profile.runtime_version);
  EXPECT_EQ(facts->runtime.traits.refuses_images_in_use, profile.refuses_in_use);
  EXPECT_EQ(facts->runtime.traits.frees_late, profile.frees_late);
  EXPECT_EQ(facts->runtime.traits.reports_pinned, profile.reports_pinned);
  EXPECT_EQ(facts->runtime.traits.has_image_volumes, profile.image_volumes);
  EXPECT_EQ(facts->runtime.traits.has_list_streams, profile.streams);
}

TEST_P(Contract, TellsTheSandboxImageWhereTheRuntimeDoes) {
  node.SetSandboxImage("registry.example/pause:3");
  const auto facts = runtime.Identify();
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->sandbox_image,
            profile.status_names_sandbox_image ? "registry.example/pause:3" : "");
}

TEST_P(Contract, ListsImagesWithAllTheirNames) {
  Populate();
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->images.size(), 4);
  const auto shown = std::ranges::find(listed->images, app, &image::Image::id);
  ASSERT_NE(shown, listed->images.end());
  EXPECT_THAT(shown->tags, ElementsAre("registry.example/app:1", "registry.example/app:stable"));
  EXPECT_EQ(shown->digests.size(), 1);
  EXPECT_EQ(shown->size, base::Bytes{1500});
  const auto without = std::ranges::find(listed->images, nameless, &image::Image::id);
  ASSERT_NE(without, listed->images.end());
  EXPECT_THAT(without->tags, IsEmpty());
  EXPECT_THAT(without->digests, IsEmpty());
}

TEST_P(Contract, ListsPinsWhereTheRuntimeReportsThem) {
  Populate();
  node.Pin(pause);
  node.ListTwice(pause);
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok());
  const auto merged = image::MergeById(listed->images);
  const auto shown = std::ranges::find(merged, pause, &image::Image::id);
  ASSERT_NE(shown, merged.end());
  EXPECT_EQ(shown->pinned, profile.reports_pinned);
}

TEST_P(Contract, EveryContainerInEveryStateLeadsToItsImage) {
  Populate();
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->containers.size(), 3);
  const image::Uses uses = image::ResolveUses(listed->images, listed->containers);
  const auto shown = std::ranges::find(listed->images, app, &image::Image::id);
  ASSERT_NE(shown, listed->images.end());
  EXPECT_EQ(uses.by_container[static_cast<std::size_t>(shown - listed->images.begin())].size(), 3);
  EXPECT_THAT(uses.unidentified, IsEmpty());
  for (const image::Container& container : listed->containers) {
    EXPECT_EQ(container.image_id, profile.lists_image_id ? app.value : "");
    EXPECT_EQ(container.image_ref, profile.ref_is_digest ? shown->digests.front() : app.value);
    EXPECT_EQ(container.image_name, app.value);
    EXPECT_EQ(container.sandbox_id, sandbox);
    EXPECT_EQ(container.pod_namespace, "default");
    EXPECT_THAT(container.pod_name, Not(IsEmpty()));
  }
}

TEST_P(Contract, AContainerThatSaysNothingOfItsImageIsListedAllTheSame) {
  Populate();
  node.AddContainer({.image = app.value, .anonymous = true});
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok());
  const image::Uses uses = image::ResolveUses(listed->images, listed->containers);
  EXPECT_EQ(uses.unidentified.size(), 1);
}

TEST_P(Contract, ImagesThatShareTheirBaseShareTheFirstLayers) {
  Populate();
  const std::vector<image::ImageId> ids = {app, base};
  const auto chains = runtime.LayersOf(ids);
  ASSERT_TRUE(chains.ok());
  ASSERT_EQ(chains->front().has_value(), profile.tells_layers);
  if (!profile.tells_layers) return;
  ASSERT_EQ((*chains)[0]->size(), 2);
  ASSERT_EQ((*chains)[1]->size(), 1);
  EXPECT_EQ((*chains)[0]->front(), (*chains)[1]->front());
}

TEST_P(Contract, ToldSandboxImagesAreRight) {
  Populate();
  const auto names = runtime.ImagesOfSandboxes(std::span(&sandbox, 1));
  ASSERT_TRUE(names.ok());
  EXPECT_THAT(*names,
              ElementsAre(profile.sandboxes_name_their_image ? "registry.example/pause:3" : ""));
}

TEST_P(Contract, ImageVolumesLeadToTheirImage) {
  Populate();
  const std::string id =
      node.AddContainer({.image = app.value, .volumes = {"registry.example/base:1"}});
  const auto volumes = runtime.VolumesOf(std::span(&id, 1));
  ASSERT_TRUE(volumes.ok());
  if (!profile.image_volumes) {
    EXPECT_THAT(volumes->front(), IsEmpty());
    return;
  }
  ASSERT_EQ(volumes->front().size(), 1);
  EXPECT_EQ(runtime.Resolve(volumes->front().front())->value, base.value);
}

TEST_P(Contract, ShortNamesMeanWhatTheyMeanToDocker) {
  const image::ImageId id = node.AddImage("docker.io/library/busybox:latest", {1});
  const auto resolved = runtime.Resolve("busybox");
  ASSERT_TRUE(resolved.ok());
  EXPECT_EQ(resolved->value, id.value);
}

TEST_P(Contract, RemovalTakesAllNamesAndAnswersInOrder) {
  Populate();
  const image::ImageId absent{"sha256:" + std::string(64, '0')};
  const std::vector<engine::Victim> victims = {{nameless}, {absent}, {base}};
  const auto results = subject.remover().Remove(victims);
  ASSERT_EQ(results.size(), 3);
  EXPECT_EQ(results[0].outcome, Outcome::kRemoved);
  EXPECT_THAT(results[1].outcome, AnyOf(Outcome::kRemoved, Outcome::kGone));
  EXPECT_EQ(results[2].outcome, Outcome::kRemoved);
  EXPECT_FALSE(node.Has(nameless));
  EXPECT_FALSE(node.Has(base));
  EXPECT_EQ(runtime.Resolve("registry.example/base:1")->value, "");
  EXPECT_THAT(subject.remover().Remove({}), IsEmpty());
}

TEST_P(Contract, RemovalIsAskedForByIdAndOncePerImage) {
  Populate();
  const std::vector<engine::Victim> victims = {{nameless}, {base}};
  (void)subject.remover().Remove(victims);
  EXPECT_THAT(node.asked(), ::testing::UnorderedElementsAre(nameless.value, base.value));
}

// K-D11: the kubelet drops the runtime handler when it removes.
TEST_P(Contract, AnImageOfARuntimeHandlerIsListedWithItAndGoesByIt) {
  const image::ImageId id =
      node.AddImage({.name = "registry.example/vm:1", .layers = {{"vm", {1}}}, .handler = "kata"});
  const auto listed = runtime.List();
  ASSERT_TRUE(listed.ok());
  const auto image = std::ranges::find(listed->images, id, &image::Image::id);
  ASSERT_NE(image, listed->images.end());
  EXPECT_THAT(image->handlers, ::testing::ElementsAre("kata"));
  const std::vector<engine::Victim> victims = {{.id = id, .handler = "kata"}};
  EXPECT_EQ(subject.remover().Remove(victims).front().outcome, Outcome::kRemoved);
  EXPECT_FALSE(node.Has(id));
}

TEST_P(Contract, AnImageInUseIsHeldWhereTheRuntimeRefuses) {
  Populate();
  const engine::RemovalResult result = Remove(app);
  EXPECT_EQ(result.outcome, profile.refuses_in_use ? Outcome::kHeld : Outcome::kRemoved);
  EXPECT_EQ(node.Has(app), profile.refuses_in_use);
  EXPECT_EQ(result.detail.empty(), !profile.refuses_in_use);
}

TEST_P(Contract, OneImageThatCannotBeRemovedDoesNotStopTheOthers) {
  Populate();
  node.Refuse(nameless, {base::ErrorCode::kInternal, "input/output error"});
  const std::vector<engine::Victim> victims = {{nameless}, {base}};
  const auto results = subject.remover().Remove(victims);
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_THAT(results[0].detail, ::testing::HasSubstr("input/output error"));
  EXPECT_EQ(results[1].outcome, Outcome::kRemoved);
}

TEST_P(Contract, ARuntimeThatIsGoneIsUnavailableToEveryQuestion) {
  Populate();
  node.DieAfter(0);
  const auto expect_gone = [](const auto& answer) {
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, base::ErrorCode::kUnavailable) << answer.error().message;
    EXPECT_THAT(answer.error().message, Not(IsEmpty()));
  };
  expect_gone(runtime.Identify());
  expect_gone(runtime.List());
  expect_gone(runtime.Storage());
  expect_gone(runtime.Resolve("registry.example/app:1"));
  expect_gone(runtime.LayersOf(std::span(&app, 1)));
  expect_gone(runtime.ImagesOfSandboxes(std::span(&sandbox, 1)));
  expect_gone(runtime.VolumesOf(std::span(&sandbox, 1)));
  const engine::RemovalResult result = Remove(nameless);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.detail, Not(IsEmpty()));
}

TEST_P(Contract, ARuntimeThatCameBackIsFoundAgain) {
  Populate();
  node.DieAfter(0);
  EXPECT_FALSE(runtime.List().ok());
  node.Revive();
  EXPECT_TRUE(runtime.List().ok());
}

}  // namespace
}  // namespace ebb::contract
