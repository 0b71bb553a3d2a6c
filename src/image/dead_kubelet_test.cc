// The kubelet's own scenarios for containers (KC), sandboxes (KS) and logs (KL), as ours. The
// kubelet removes what is too much of a pod that exists; ours reports it as surplus and leaves it
// to the kubelet, whose pod it is (P13). Two verdicts differ beyond that, and say so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/dead_test.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum DeadReason;

TEST(DeadContainers, KC1WithoutAnAllowanceTheOnlyOneIsSurplus) {
  Scene scene;
  scene.policy.max_per_container = 0;
  scene.Know("foo").Container("foo", "bar", hours(5));
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("foo/bar#0"));
}

TEST(DeadContainers, KC2TheNodesLimitAloneMakesTheOldestSurplus) {
  Scene scene;
  scene.policy.max_per_container.reset();
  scene.policy.max_in_all = 4;
  scene.Know("foo");
  for (int i = 0; i < 5; ++i) scene.Container("foo", "bar", hours(5 + i));
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("foo/bar#4"));
}

TEST(DeadContainers, KC3WithoutLimitsNothingIsSurplus) {
  Scene scene;
  scene.policy.max_per_container.reset();
  scene.policy.max_in_all.reset();
  scene.Know("foo");
  for (int i = 0; i < 3; ++i) scene.Container("foo", "bar", hours(5 + i));
  EXPECT_THAT(scene.With(kSurplus), IsEmpty());
}

TEST(DeadContainers, KC4WhatWasCreatedJustNowIsNotCounted) {
  Scene scene;
  scene.Know("foo");
  for (int i = 0; i < 3; ++i) scene.Container("foo", "bar", seconds(i));
  EXPECT_THAT(scene.With(kSurplus), IsEmpty());
}

TEST(DeadContainers, KC5OfThreeTheOldestIsSurplus) {
  Scene scene;
  scene.Know("foo").Container("foo", "bar", hours(6)).Container("foo", "bar", hours(7));
  scene.Container("foo", "bar", hours(5));
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("foo/bar#1"));
  EXPECT_THAT(scene.Gone(), IsEmpty());
}

TEST(DeadContainers, KC6ARunningOneIsNotCounted) {
  Scene scene;
  scene.Know("foo").Container("foo", "bar", hours(5), ContainerState::kRunning);
  scene.Container("foo", "bar", hours(6)).Container("foo", "bar", hours(7));
  EXPECT_THAT(scene.With(kSurplus), IsEmpty());
}

TEST(DeadContainers, KC7AsManyAsAreAllowedStay) {
  Scene scene;
  scene.Know("foo").Container("foo", "bar", hours(6)).Container("foo", "bar", hours(7));
  EXPECT_THAT(scene.With(kPodKnown), ElementsAre("foo/bar#0", "foo/bar#1"));
}

TEST(DeadContainers, KC8EachContainerOfEachPodIsCountedByItself) {
  Scene scene;
  scene.Know("foo").Know("foo1").Know("foo2");
  for (int i = 0; i < 3; ++i) {
    scene.Container("foo", "bar", hours(5 + i));
    scene.Container("foo1", "baz", hours(5 + i));
    scene.Container("foo2", "bar", hours(5 + i));
  }
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("foo/bar#6", "foo1/baz#7", "foo2/bar#8"));
}

TEST(DeadContainers, KC9TheNodesLimitIsSharedEvenlyFirst) {
  Scene scene;
  for (const char* pod : {"foo", "foo1", "foo2", "foo3", "foo4"}) {
    scene.Know(pod).Container(pod, "bar", hours(6)).Container(pod, "bar", hours(5));
  }
  EXPECT_THAT(scene.With(kSurplus),
              ElementsAre("foo/bar#0", "foo1/bar#2", "foo2/bar#4", "foo3/bar#6", "foo4/bar#8"));
}

TEST(DeadContainers, KC10BeyondAnEvenShareTheOldestOfAllAreSurplus) {
  Scene scene;
  int age = 5;
  for (const char* pod : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    scene.Know(pod).Container(pod, "bar", hours(age++));
  }
  scene.Container("a", "bar", hours(20)).Container("b", "bar", hours(20));
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("a/bar#8", "b/bar#9", "g/bar#6", "h/bar#7"));
}

TEST(DeadContainers, KC11ATerminatedPodThatIsStillKnownKeepsItsContainers) {
  // The kubelet removes them all in an eviction, and with them the exit status of a finished job;
  // ours keeps on purpose whatever a source knows.
  Scene scene;
  scene.Know("foo").Know("foo1");
  for (Pod& pod : *scene.pods.pods) pod.terminated = true;
  scene.Container("foo", "bar", hours(5)).Container("foo", "bar", hours(6));
  scene.Container("foo1", "bar", hours(5)).Container("foo1", "bar", hours(6));
  EXPECT_THAT(scene.Gone(), IsEmpty());
}

TEST(DeadContainers, KC12OfADeletedPodTheFreshOneStays) {
  Scene scene;
  scene.Know("other").Container("other", "bar", hours(5)).Container("other", "bar", hours(6));
  scene.Container("deleted", "bar", hours(7)).Container("deleted", "bar", hours(6));
  scene.Container("deleted", "bar", seconds(1));
  EXPECT_THAT(scene.Gone(), ElementsAre("deleted/bar#2", "deleted/bar#3"));
  EXPECT_EQ(scene.Of("deleted/bar#4"), kTooYoung);
}

TEST(DeadContainers, KC13NothingGoesIfASourceDidNotAnswer) {
  Scene scene;
  scene.Container("deleted", "bar", hours(7)).Sandbox("deleted", "s", hours(7));
  scene.Log("ns_deleted_deleted");
  scene.pods.not_answered = {"kubelet"};
  EXPECT_THAT(scene.With(kNotAnswered), ElementsAre("deleted/bar#0", "ns_deleted_deleted", "s"));
  scene.pods.pods.reset();
  EXPECT_EQ(scene.Of("deleted/bar#0"), kNotAnswered);
}

TEST(DeadContainers, KC14OneOfUnknownStateStays) {
  // The kubelet kills it first and removes it then; ours leaves it alone on purpose: it may run.
  Scene scene;
  scene.policy.max_per_container = 0;
  scene.policy.max_in_all = 0;
  scene.Know("foo").Container("foo", "bar", hours(5), ContainerState::kUnknown);
  EXPECT_THAT(scene.With(kUnknownState), ElementsAre("foo/bar#0"));
}

TEST(DeadSandboxes, KS1AnEmptyOneOfADeletedPodGoes) {
  Scene scene;
  scene.Sandbox("deleted", "s", hours(5));
  EXPECT_THAT(scene.Gone(), ElementsAre("s"));
}

TEST(DeadSandboxes, KS2AReadyOneStaysWhateverItsPod) {
  Scene scene;
  scene.Sandbox("deleted", "s", hours(5), true);
  EXPECT_THAT(scene.With(kRuns), ElementsAre("s"));
}

TEST(DeadSandboxes, KS3OfAPodThatExistsTheOnlyOneStaysReadyOrNot) {
  Scene scene;
  scene.Know("foo").Know("bar").Sandbox("foo", "s1", hours(5), true).Sandbox("bar", "s2", hours(5));
  EXPECT_EQ(scene.Of("s1"), kRuns);
  EXPECT_EQ(scene.Of("s2"), kPodKnown);
}

TEST(DeadSandboxes, KS4TheOlderEmptyOneOfAPodThatExistsIsSurplus) {
  Scene scene;
  scene.Know("foo").Sandbox("foo", "new", hours(5)).Sandbox("foo", "old", hours(6));
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("old"));
  EXPECT_EQ(scene.Of("new"), kPodKnown);
}

TEST(DeadSandboxes, KS5TheOlderOneStaysAsLongAsItHasAContainer) {
  Scene scene;
  scene.Know("foo").Sandbox("foo", "new", hours(5)).Sandbox("foo", "old", hours(6));
  scene.Container("foo", "bar", hours(6)).In("old");
  EXPECT_THAT(scene.With(kPodKnown), ElementsAre("foo/bar#0", "new", "old"));
}

TEST(DeadSandboxes, KS6OfATerminatedPodThatIsKnownNoneGoes) {
  Scene scene;  // as KC11
  scene.Know("foo").Know("foo1");
  for (Pod& pod : *scene.pods.pods) pod.terminated = true;
  scene.Sandbox("foo", "s1", hours(5), true).Sandbox("foo1", "s2", hours(5));
  EXPECT_EQ(scene.Of("s1"), kRuns);
  EXPECT_EQ(scene.Of("s2"), kPodKnown);
}

TEST(DeadSandboxes, KS7OneWithAContainerThatStaysStays) {
  Scene scene;
  scene.Sandbox("deleted", "s", hours(5)).Container("deleted", "bar", seconds(1)).In("s");
  EXPECT_EQ(scene.Of("s"), kNotEmpty);
  scene.seen.containers.back().created_at -= hours(5);
  EXPECT_THAT(scene.Gone(), ElementsAre("deleted/bar#0", "s"));
}

TEST(DeadSandboxes, KS8ReadyNewestOldAndDeletedAreToldApart) {
  Scene scene;
  scene.Know("foo").Sandbox("foo", "ready", hours(5), true).Sandbox("foo", "old", hours(6));
  scene.Know("bar").Sandbox("bar", "full", hours(5)).Sandbox("bar", "older", hours(6));
  scene.Container("bar", "main", hours(5)).In("full");
  scene.Sandbox("deleted", "lost", hours(5));
  EXPECT_THAT(scene.With(kSurplus), ElementsAre("old", "older"));
  EXPECT_THAT(scene.Gone(), ElementsAre("lost"));
}

TEST(DeadLogs, KL1DirectoriesOfPodsThatAreGoneGoAndNoneIfASourceIsMissing) {
  constexpr const char* kBare = "01234567-89ab-cdef-0123-456789abcdef";
  constexpr const char* kKnown = "fedcba98-89ab-cdef-0123-456789abcdef";
  Scene scene;
  scene.Know(kKnown).Know("321");
  scene.Log(kBare).Log(kKnown).Log("ns_name_321").Log("ns_name_654").Log("123").Log("my_notes");
  EXPECT_THAT(scene.Gone(), ElementsAre(kBare, "ns_name_654"));
  EXPECT_THAT(scene.With(kNoPod), ElementsAre("123", "my_notes")) << "not the kubelet's names";
  scene.pods.not_answered = {"api"};
  EXPECT_THAT(scene.Gone(), IsEmpty());
}

}  // namespace
}  // namespace ebb::image
