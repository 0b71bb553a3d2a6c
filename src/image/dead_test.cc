#include "image/dead_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "image/log_name.h"

namespace ebb::image {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using enum DeadReason;

TEST(Dead, IsOnlyReportedUnlessRemovingWasOptedFor) {
  Scene scene;
  scene.policy = {};
  scene.Container("gone", "main", hours(5)).Sandbox("gone", "s", hours(5));
  EXPECT_THAT(scene.Plan().things, Each(Field(&DeadThing::verdict, DeadVerdict::kWouldGo)));
  scene.policy.remove = true;
  EXPECT_THAT(scene.Plan().things, Each(Field(&DeadThing::verdict, DeadVerdict::kGoes)));
}

TEST(Dead, NothingGoesIfNobodyWasAskedAboutPods) {
  Scene scene;
  scene.Container("gone", "main", hours(5)).Sandbox("gone", "s", hours(5));
  scene.pods.pods.reset();
  EXPECT_THAT(scene.With(kNotAsked), ElementsAre("gone/main#0", "s"));
  EXPECT_FALSE(scene.Plan().asked);
}

TEST(Dead, NothingGoesIfTheObservationIsInDoubt) {
  Scene scene;
  scene.Container("gone", "main", hours(5));
  scene.seen.doubts = {"half a list"};
  EXPECT_THAT(scene.With(kInDoubt), ElementsAre("gone/main#0"));
}

TEST(Dead, NothingGoesIfAPodRunsThatNoSourceKnows) {
  // A source that has just started, or answers for another node, would cost every pod its dead.
  for (const bool by_container : {true, false}) {
    Scene scene;
    scene.Container("gone", "main", hours(5));
    by_container ? scene.Container("runs", "main", hours(1), ContainerState::kRunning)
                 : scene.Sandbox("runs", "s", hours(1), true);
    EXPECT_EQ(scene.Of("gone/main#0"), kUnknownPodRuns);
    scene.Know("runs");
    EXPECT_THAT(scene.Gone(), ElementsAre("gone/main#0"));
  }
}

TEST(Dead, NothingGoesBeforeAPodRunsThatCameFromTheApiServer) {
  // After a reboot the kubelet answers with its static pods before it has heard of the others.
  Scene scene;
  scene.alone = true;
  scene.Container("gone", "main", hours(5)).Know("etcd").Know("web");
  scene.pods.pods->front().is_static = true;
  EXPECT_EQ(scene.Of("gone/main#0"), kNoPodRuns);
  scene.Sandbox("etcd", "s", hours(1), true);
  EXPECT_EQ(scene.Of("gone/main#0"), kNoPodRuns);
  scene.Container("web", "main", hours(1), ContainerState::kRunning);
  EXPECT_THAT(scene.Gone(), ElementsAre("gone/main#0"));
}

TEST(Dead, OneOfUnknownStateKeepsItsSandboxAndItsLogAndNothingOfOtherPods) {
  // What a crash of the runtime left behind is no proof that a source has not told all.
  Scene scene;
  scene.Sandbox("broken", "s", hours(5)).Log("ns_broken_broken");
  scene.Container("broken", "main", hours(5), ContainerState::kUnknown).In("s");
  scene.Container("gone", "main", hours(5));
  EXPECT_THAT(scene.Gone(), ElementsAre("gone/main#1"));
  EXPECT_THAT(scene.With(kNotEmpty), ElementsAre("ns_broken_broken", "s"));
}

TEST(Dead, AStaticPodIsKnownByTheHashThatItsMirrorCarries) {
  Scene scene;
  scene.pods.pods->push_back({.uid = "uid-of-the-mirror", .config_hash = "hash"});
  scene.Container("hash", "etcd", hours(5)).Sandbox("hash", "s", hours(5)).Log("ns_etcd_hash");
  EXPECT_THAT(scene.With(kStaticPodKnown), ElementsAre("hash/etcd#0", "ns_etcd_hash", "s"));
}

TEST(Dead, ASourceThatKnowsNoUidOfAPodKnowsNoPod) {
  Scene scene;
  scene.Know("").Container("", "main", hours(5)).Sandbox("", "s", hours(5));
  EXPECT_THAT(scene.With(kNoPod), ElementsAre("/main#0", "s"));
}

TEST(Dead, AContainerWithoutLabelsBelongsToThePodOfItsSandbox) {
  Scene scene;
  scene.Know("pod").Sandbox("pod", "s", hours(5)).Container("", "main", hours(5)).In("s");
  EXPECT_EQ(scene.Of("/main#0"), kPodKnown);
}

TEST(Dead, AnAgeThatIsNotKnownOrLiesInTheFutureIsTooYoung) {
  Scene scene;
  scene.policy.min_age = {};
  scene.Container("gone", "future", -hours(8)).Container("gone", "unknown", hours(0));
  scene.seen.containers.back().created_at = base::kNever;
  EXPECT_THAT(scene.With(kTooYoung), ElementsAre("gone/future#0", "gone/unknown#1"));
}

TEST(Dead, SandboxesAndLogsHaveAMinimumAgeToo) {
  Scene scene;
  scene.Sandbox("gone", "s", minutes(59)).Log("ns_new_lost");
  scene.seen.logs.back().changed = scene.seen.taken_at - minutes(59);
  EXPECT_THAT(scene.With(kTooYoung), ElementsAre("ns_new_lost", "s"));
}

TEST(Dead, ALogStaysAsLongAsAnythingOfItsPodDoes) {
  Scene scene;
  scene.Container("gone", "main", minutes(1)).Log("ns_gone_gone");
  EXPECT_EQ(scene.Of("ns_gone_gone"), kNotEmpty);
  scene.seen.containers.back().created_at -= hours(2);
  EXPECT_THAT(scene.Gone(), ElementsAre("gone/main#0", "ns_gone_gone"));
}

TEST(Dead, ALogIsNoCorpseIfItsPodIsWantedOrRuns) {
  Scene scene;
  scene.Know("pod").Container("pod", "main", hours(5), ContainerState::kRunning).Log("ns_a_pod");
  scene.Know("job").Log("ns_b_job");
  EXPECT_THAT(scene.Plan().things, Each(Field(&DeadThing::verdict, DeadVerdict::kAlive)));
}

TEST(Dead, ADanglingLinkGoesUnlessItsPodIsKnownOrItsContainerStays) {
  constexpr auto kLink = LogEntry::Kind::kDanglingLink;
  Scene scene;
  scene.Know("known").Container("gone", "main", minutes(1));
  scene.Log("lost_ns_main-0123.log", kLink).Log("known_ns_main-4567.log", kLink);
  scene.Log("gone_ns_main-gone/main#0.log", kLink).Log("strange.log", kLink);
  EXPECT_THAT(scene.Gone(), ElementsAre("lost_ns_main-0123.log"));
  EXPECT_EQ(scene.Of("known_ns_main-4567.log"), kPodKnown);
  EXPECT_EQ(scene.Of("gone_ns_main-gone/main#0.log"), kNotEmpty);
  EXPECT_EQ(scene.Of("strange.log"), kNoPod);
}

TEST(LogNames, AreTakenApartAsTheKubeletPutsThemTogether) {
  const PodOfLog pod = ParseLogDirectory("kube-system_coredns-x_uid-1");
  EXPECT_EQ(pod.pod_namespace, "kube-system");
  EXPECT_EQ(pod.name, "coredns-x");
  EXPECT_EQ(pod.uid, "uid-1");
  EXPECT_EQ(ParseLogDirectory("0123456789abcdef0123456789abcdef").uid.size(), 32U);
  for (const char* strange : {"", "_", "__", "a_b", "a_b_c_d", "_b_c", "a__c", "a_b_", "lost+found",
                              "0123456789abcdef0123456789abcdeg"}) {
    EXPECT_EQ(ParseLogDirectory(strange).uid, "") << strange;
  }
  const LinkedLog link = ParseLogLink("web-1_shop_side-car-0123.log");
  EXPECT_EQ(link.pod_name, "web-1");
  EXPECT_EQ(link.pod_namespace, "shop");
  EXPECT_EQ(link.container, "side-car");
  EXPECT_EQ(link.container_id, "0123");
  for (const char* strange : {"", ".log", "a_b_c-d", "a_b_c.log", "a_b_-d.log", "a_b_c-.log"}) {
    EXPECT_EQ(ParseLogLink(strange).container_id, "") << strange;
  }
}

// A node of random pods, each known or not.
Scene RandomScene(std::mt19937& random) {
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  Scene scene;
  for (int p = 0; p < 8; ++p) {
    const std::string pod = "pod" + std::to_string(p);
    const bool known = pick(3) > 0;
    if (known) scene.Know(pod);
    const std::string sandbox = "sandbox of " + pod;
    scene.Sandbox(pod, sandbox, minutes(pick(240)), known && pick(2) == 0);
    for (int c = pick(4); c > 0; --c) {
      const int state = pick(known || pick(20) == 0 ? 4 : 2);
      constexpr std::array kStates = {ContainerState::kExited, ContainerState::kCreated,
                                      ContainerState::kRunning, ContainerState::kUnknown};
      scene.Container(pod, "main", minutes(pick(240)), kStates.at(static_cast<std::size_t>(state)))
          .In(sandbox);
    }
    scene.Log(std::string("ns_").append(pod).append("_").append(pod));
  }
  if (pick(10) == 0) scene.pods.not_answered = {"kubelet"};
  scene.policy.max_per_container = static_cast<std::size_t>(pick(3));
  return scene;
}

TEST(Dead, NothingAliveKnownYoungOrOccupiedEverGoes) {
  std::mt19937 random(13);
  std::size_t removed = 0;
  for (int round = 0; round < 2000; ++round) {
    const Scene scene = RandomScene(random);
    std::set<std::string> going;
    std::set<std::string> known;
    for (const Pod& pod : *scene.pods.pods) known.insert(pod.uid);
    for (const DeadThing& thing : scene.Plan().things) {
      if (thing.verdict != DeadVerdict::kGoes) continue;
      EXPECT_TRUE(scene.pods.not_answered.empty());
      EXPECT_FALSE(known.contains(thing.pod_uid));
      EXPECT_GE(scene.seen.taken_at - thing.since, scene.policy.min_age);
      going.insert(thing.id);
    }
    for (const Container& container : scene.seen.containers) {
      const bool goes = going.contains(container.id);
      if (goes) {
        EXPECT_NE(container.state, ContainerState::kRunning);
        EXPECT_NE(container.state, ContainerState::kUnknown);
      } else {
        EXPECT_FALSE(going.contains(container.sandbox_id));
      }
    }
    removed += going.size();
  }
  EXPECT_GT(removed, 1000U) << "the property is about something";
}

TEST(ImageGcPage, HasEveryReasonOfDeadThingsAndNoOther) {
  std::stringstream text;
  text << std::ifstream(std::filesystem::path(EBB_DOCS) / "image-gc.md").rdbuf();
  const std::string all = text.str();
  const auto from = all.find("## Dead containers");
  ASSERT_NE(from, std::string::npos);
  const std::string section = all.substr(from, all.find("\n## ", from + 1) - from);
  std::set<std::string> documented;
  const std::regex row("\n[|] `([a-z-]+)` [|]");
  for (std::sregex_iterator at(section.begin(), section.end(), row), end; at != end; ++at) {
    documented.insert((*at)[1]);
  }
  std::set<std::string> codes;
  for (const DeadReason reason : AllDeadReasons()) codes.emplace(Code(reason));
  EXPECT_EQ(documented, codes);
}

}  // namespace
}  // namespace ebb::image
