#include "report/dead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/golden.h"

namespace ebb::report {
namespace {

using image::ContainerState;
using std::chrono::hours;
using std::chrono::minutes;
using ::testing::HasSubstr;
using ::testing::Not;

// A pod that runs, one whose job is over, one that nobody knows any more, and logs.
struct Left {
  Left() {
    seen.taken_at = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
    seen.not_checked = {"pulls"};
    pods.pods = std::vector<image::Pod>{};
    for (const char* pod : {"web", "job"}) {
      pods.pods->push_back({.uid = std::string("uid-") + pod, .config_hash = {}});
      pods.pods->back().pod_namespace = "shop";
      pods.pods->back().name = pod;
    }
    Add("web", ContainerState::kRunning, hours(30));
    Add("job", ContainerState::kExited, hours(6));
    Add("job", ContainerState::kExited, hours(8));
    Add("lost", ContainerState::kExited, hours(50));
    Add("lost", ContainerState::kExited, hours(52));
    Add("fresh", ContainerState::kExited, minutes(3));
    seen.logs = {
        {image::LogEntry::Kind::kPodDirectory, "shop_lost_uid-lost", seen.taken_at - hours(53)},
        {image::LogEntry::Kind::kPodDirectory, "notes", seen.taken_at - hours(500)},
        {image::LogEntry::Kind::kDanglingLink, "old_shop_main-0123.log",
         seen.taken_at - hours(70)}};
  }

  void Add(const std::string& pod, ContainerState state, base::Duration age) {
    const std::string id = std::string(64, static_cast<char>('a' + seen.containers.size()));
    const std::string sandbox = "5a4d" + id.substr(4);
    seen.containers.push_back({.id = id,
                               .name = "main",
                               .pod_namespace = "shop",
                               .pod_name = pod,
                               .pod_uid = "uid-" + pod,
                               .sandbox_id = sandbox,
                               .state = state,
                               .created_at = seen.taken_at - age});
    seen.sandboxes.push_back({.id = sandbox,
                              .pod_namespace = "shop",
                              .pod_name = pod,
                              .pod_uid = "uid-" + pod,
                              .ready = state == ContainerState::kRunning,
                              .created_at = seen.taken_at - age});
  }
  std::string Render(const Style& style = {}) const {
    image::Observation with_pods = seen;
    with_pods.pods = pods;
    return RenderDead(with_pods, image::DecideDead(with_pods, policy), style);
  }

  image::Observation seen;
  image::KnownPods pods;
  image::DeadPolicy policy;
};

TEST(DeadReport, LooksAsItShould) {
  Left left;
  ExpectGolden("dead.txt", left.Render());
  ExpectGolden("dead_wide.txt", left.Render({.format = Format::kWide}));
  ExpectGolden("dead.json", left.Render({.format = Format::kJson}));
  left.policy.remove = true;
  ExpectGolden("dead_remove.txt", left.Render());
}

TEST(DeadReport, SaysWhyNothingGoesIfNobodyWasAskedOrDidNotAnswer) {
  Left left;
  left.pods.pods.reset();
  EXPECT_THAT(left.Render(), HasSubstr("pods-not-asked: no pod source was asked"));
  EXPECT_THAT(left.Render(), HasSubstr("nothing"));
  left.pods.not_answered = {"kubelet at https://127.0.0.1:10250"};
  ExpectGolden("dead_no_answer.txt", left.Render());
}

TEST(DeadReport, OfANodeWithoutAnythingDeadIsShort) {
  EXPECT_EQ(RenderDead({}, {}, {}), "dead:        nothing\ngoes:        nothing\n");
}

TEST(DeadReport, ShowsFiftyAndCountsTheOthers) {
  Left left;
  for (int i = 0; i < 60; ++i) left.Add("lost", ContainerState::kExited, hours(50));
  const std::string text = left.Render();
  EXPECT_THAT(text, HasSubstr("more: -o wide"));
  EXPECT_LT(std::ranges::count(text, '\n'), 65);
  EXPECT_GT(std::ranges::count(left.Render({.format = Format::kWide}), '\n'), 120);
}

TEST(DeadReport, GivesIdsOfWhatMayGoAsNames) {
  const std::string names = Left().Render({.format = Format::kName});
  EXPECT_THAT(names, HasSubstr(std::string(64, 'd') + "\n"));
  EXPECT_THAT(names, Not(HasSubstr(std::string(64, 'b'))));
  EXPECT_THAT(names, HasSubstr("shop_lost_uid-lost\n"));
}

TEST(DeadReport, LetsNoControlCharacterReachTheTerminal) {
  Left left;
  left.seen.logs[0].name = "shop_\x1b[2J_uid";
  left.seen.containers[1].name = "a\nb";
  left.pods.not_answered = {"x\x07"};
  for (const Format format : {Format::kTable, Format::kWide, Format::kName}) {
    const std::string text = left.Render({.format = format});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\x07'), std::string::npos);
    EXPECT_EQ(text.find("a\nb"), std::string::npos);
  }
}

}  // namespace
}  // namespace ebb::report
