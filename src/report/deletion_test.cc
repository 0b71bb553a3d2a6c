#include "report/deletion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace ebb::report {
namespace {

using graph::Fate;
using graph::Outcome;
using ::testing::HasSubstr;

Outcome Of(const std::string& kind, const std::string& name, Fate fate, std::size_t wave = 0) {
  Outcome outcome{.object = {}, .fate = fate, .wave = wave};
  outcome.object.id = {"v1", kind, "shop", name, "uid-" + name};
  return outcome;
}

Outcome Below(Outcome outcome, const std::vector<Outcome>& owners) {
  for (const Outcome& owner : owners) outcome.owners.push_back(owner.object.id);
  return outcome;
}

Deletion Rollout() {
  const Outcome web = Of("Deployment", "web", Fate::kDeleted, 1);
  const Outcome set = Below(Of("ReplicaSet", "web-1", Fate::kDeleted, 2), {web});
  const Outcome pod = Below(Of("Pod", "a", Fate::kDeleted, 3), {set, web});
  Outcome kept = Below(Of("Pod", "b", Fate::kReleased), {set});
  kept.kept_by = {{"v1", "Job", "shop", "x", "uid-x"}};
  return {.outcomes = {web, set, pod, kept}, .policy = graph::Policy::kBackground};
}

TEST(DeletionReport, TheTreeSaysOfEveryObjectWhatBecomesOfIt) {
  EXPECT_EQ(RenderDeletion(Rollout(), {.format = Format::kTree}),
            "Deployment shop/web       deleted in step 1\n"
            "└─ ReplicaSet shop/web-1  deleted in step 2\n"
            "   ├─ Pod shop/a          deleted in step 3\n"
            "   └─ Pod shop/b          kept by Job shop/x\n"
            "\n"
            "3 objects go: 1 Deployment, 1 Pod, 1 ReplicaSet. 1 object stays.\n");
}

TEST(DeletionReport, WhatIsReachedWithoutAnOwnerStandsBelowTheTarget) {
  const Deletion deletion{.outcomes = {Of("Namespace", "shop", Fate::kDeleted, 2),
                                       Of("Secret", "s", Fate::kDeleted, 1)}};
  EXPECT_THAT(RenderDeletion(deletion, {.format = Format::kTree}), HasSubstr("└─ Secret shop/s"));
}

TEST(DeletionReport, AVeryDeepTreeIsDrawn) {
  Deletion deletion{.outcomes = {Of("Pod", "0", Fate::kDeleted, 1)}};
  for (int i = 1; i < 3'000; ++i) {
    deletion.outcomes.push_back(
        Below(Of("Pod", std::to_string(i), Fate::kDeleted, 1), {deletion.outcomes.back()}));
  }
  EXPECT_THAT(RenderDeletion(deletion, {.format = Format::kTree}), HasSubstr("Pod shop/2999 "));
}

TEST(DeletionReport, WhatStaysSaysWhy) {
  Outcome stuck = Of("Pod", "a", Fate::kStuck);
  stuck.finalizers = {"x/y"};
  const Deletion deletion;
  EXPECT_EQ(FateOf(deletion, stuck), "stays in deletion: waits for finalizer x/y");
  stuck.finalizers.clear();
  stuck.waits_for = {Of("Pod", "b", Fate::kStuck).object.id};
  EXPECT_EQ(FateOf(deletion, stuck), "stays in deletion: waits for Pod shop/b");
  EXPECT_EQ(FateOf(deletion, Of("Pod", "a", Fate::kReleased)), "stays, without an owner");
  EXPECT_THAT(FateOf(deletion, Of("Pod", "a", Fate::kUndecided)), HasSubstr("not served"));
  EXPECT_THAT(FateOf({.partial = true}, Of("Pod", "a", Fate::kUndecided)), HasSubstr("not known"));
  EXPECT_THAT(FateOf(deletion, Of("Node", "a", Fate::kNever)), HasSubstr("never collected"));
  EXPECT_THAT(FateOf(deletion, Of("Pod", "a", Fate::kGarbage)), HasSubstr("goes anyway"));
}

TEST(DeletionReport, NamesAreOfWhatGoes) {
  EXPECT_EQ(RenderDeletion(Rollout(), {.format = Format::kName}),
            "Deployment/web\nReplicaSet/web-1\nPod/a\n");
}

TEST(DeletionReport, TheDocumentHasEverythingThatThePreviewTells) {
  const auto json = boost::json::parse(RenderDeletion(Rollout(), {.format = Format::kJson}));
  EXPECT_EQ(json.at("kind"), "DeletionPreview");
  EXPECT_EQ(json.at("policy"), "Background");
  const auto& objects = json.at("objects").as_array();
  ASSERT_EQ(objects.size(), 4U);
  EXPECT_EQ(objects[0].at("target"), true);
  EXPECT_EQ(objects[2].at("step"), 3);
  EXPECT_EQ(objects[2].at("reachedBy").as_array().size(), 2U);
  EXPECT_EQ(objects[3].at("fate"), "released");
  EXPECT_EQ(objects[3].at("step"), nullptr);
  EXPECT_EQ(objects[3].at("keptBy").at(0).at("name"), "x");
  EXPECT_THAT(RenderDeletion(Rollout(), {.format = Format::kYaml}), HasSubstr("fate: released"));
}

TEST(DeletionReport, ADrawingHasEveryObjectAndEveryReference) {
  const std::string dot = RenderDeletion(Rollout(), {.format = Format::kDot});
  EXPECT_THAT(dot, HasSubstr(R"(n0 [label="Deployment shop/web\ndeleted in step 1"];)"));
  EXPECT_THAT(dot, HasSubstr("style=dashed"));
  for (const char* edge : {"n0 -> n1;", "n1 -> n2;", "n0 -> n2;", "n1 -> n3;"}) {
    EXPECT_THAT(dot, HasSubstr(edge));
  }
  const std::string mermaid = RenderDeletion(Rollout(), {.format = Format::kMermaid});
  EXPECT_THAT(mermaid, HasSubstr(R"(n3["Pod shop/b<br/>kept by Job shop/x"]:::stays)"));
  EXPECT_THAT(mermaid, HasSubstr("n0 --> n2"));
}

// D13
TEST(DeletionReport, ODD13AHostileNameStaysInsideItsQuotes) {
  Deletion deletion{.outcomes = {Of("Pod", "a\"];x\\\x1b[31m", Fate::kDeleted, 1)}};
  EXPECT_THAT(RenderDeletion(deletion, {.format = Format::kDot}),
              HasSubstr(R"(label="Pod shop/a\"];x\\?[31m\n)"));
  EXPECT_THAT(RenderDeletion(deletion, {.format = Format::kMermaid}),
              HasSubstr(R"(["Pod shop/a#quot;];x#92;?[31m<br/>)"));
}

}  // namespace
}  // namespace ebb::report
