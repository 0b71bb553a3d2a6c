// Real pods that are over: cleared if no pod source knows them, left alone if one does, and never
// touched while anything of them runs.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "cri/dead.h"
#include "cri/runtime.h"
#include "engine/dead.h"
#include "host/clock.h"
#include "host/filesystems.h"
#include "host/pod_logs.h"
#include "incidents/rig.h"

namespace ebb::node {
namespace {

using image::Outcome;
using ::testing::Each;
using ::testing::Field;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kApp = "localhost/app:1";

class Left : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    node_ = MakeNode();
    ASSERT_NE(node_, nullptr);
    const std::vector<ImageSpec> images = {AppImage(kApp)};
    const auto loaded = node_->Load(images);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    const auto connection = cri::Connect({.runtime = node_->endpoint(), .image = {}});
    ASSERT_TRUE(connection.ok());
    runtime_ = cri::MakeRuntime(*connection);
    remover_ = cri::MakeContainerRemover(*connection);
  }

  // A container that has ended in a sandbox that is not ready, with a log. Returns the container.
  std::string RunAndStop(const std::string& pod) {
    const auto container = node_->pods().RunToEnd(pod, kApp);
    EXPECT_TRUE(container.ok()) << container.error().message;
    const auto inventory = runtime_->List();
    for (const image::Sandbox& sandbox : inventory->sandboxes) {
      if (sandbox.pod_name != pod) continue;
      EXPECT_TRUE(node_->pods().StopPod(sandbox.id).ok());
    }
    const auto log = LogOf(pod) / pod;
    std::filesystem::create_directories(log);
    std::ofstream(log / "0.log") << "done";
    return container.ok() ? *container : "";
  }
  std::filesystem::path LogOf(const std::string& pod) const {
    return dir_ / "pods" / ("default_" + pod + "_uid-" + pod);
  }

  image::DeadPlan Plan(const Arguments& known) {
    image::Observation seen;
    auto inventory = runtime_->List();
    EXPECT_TRUE(inventory.ok());
    seen.taken_at = clock_.Now();
    seen.containers = std::move(inventory->containers);
    seen.sandboxes = std::move(inventory->sandboxes);
    engine::ReadLogs(logs_, seen);
    std::vector<image::Pod> pods;
    pods.reserve(known.size());
    for (const std::string& pod : known) pods.push_back({.uid = "uid-" + pod, .config_hash = {}});
    seen.pods.pods = std::move(pods);
    return image::DecideDead(seen, {.remove = true, .min_age = {}});
  }
  engine::DeadReport Reclaim(const image::DeadPlan& plan) {
    return engine::ReclaimDead({.clock = clock_,
                                .runtime = *runtime_,
                                .remover = *remover_,
                                .filesystems = filesystems_,
                                .logs = &logs_},
                               plan, {});
  }
  int Sandboxes(const std::string& pod) const {
    const auto inventory = runtime_->List();
    EXPECT_TRUE(inventory.ok());
    return static_cast<int>(
        std::ranges::count(inventory->sandboxes, pod, &image::Sandbox::pod_name));
  }

  testing::TempDir dir_;
  host::SystemClock clock_;
  host::SystemFilesystems filesystems_;
  host::PodLogs logs_{{.pods = dir_ / "pods", .containers = dir_ / "containers"}};
  std::unique_ptr<Node> node_;
  std::unique_ptr<engine::Runtime> runtime_;
  std::unique_ptr<engine::ContainerRemover> remover_;
};

TEST_F(Left, APodThatIsOverGoesIfNoSourceKnowsItAndStaysIfOneDoes) {
  const std::string gone = RunAndStop("gone");
  const std::string known = RunAndStop("known");
  const auto runs = node_->pods().RunApp("runs", kApp);
  ASSERT_TRUE(runs.ok()) << runs.error().message;
  const engine::DeadReport report = Reclaim(Plan({"known", "runs"}));
  EXPECT_EQ(report.problem, "");
  EXPECT_THAT(report.removals, SizeIs(3)) << "a container, a sandbox and a log";
  for (const auto& removal : report.removals) {
    EXPECT_EQ(removal.outcome, Outcome::kRemoved) << removal.detail;
  }
  EXPECT_EQ(node_->pods().StateOf(gone).error().code, base::ErrorCode::kNotFound);
  EXPECT_EQ(Sandboxes("gone"), 0);
  EXPECT_FALSE(std::filesystem::exists(LogOf("gone")));
  EXPECT_TRUE(node_->pods().StateOf(known).ok());
  EXPECT_EQ(Sandboxes("known"), 1);
  EXPECT_TRUE(std::filesystem::exists(LogOf("known") / "known" / "0.log"));
  EXPECT_EQ(node_->pods().StateOf(*runs).value(), ContainerState::kRunning);
}

TEST_F(Left, WhatRunsStaysWhateverThePlanSays) {
  (void)RunAndStop("gone");
  const auto runs = node_->pods().RunApp("runs", kApp);
  ASSERT_TRUE(runs.ok()) << runs.error().message;
  image::DeadPlan plan = Plan({});
  EXPECT_THAT(plan.things, Each(Field(&image::DeadThing::verdict, Not(image::DeadVerdict::kGoes))))
      << "a pod runs that no source knows";
  for (image::DeadThing& thing : plan.things) thing.verdict = image::DeadVerdict::kGoes;
  const engine::DeadReport report = Reclaim(plan);
  EXPECT_EQ(node_->pods().StateOf(*runs).value(), ContainerState::kRunning);
  EXPECT_EQ(Sandboxes("runs"), 1);
  EXPECT_EQ(Sandboxes("gone"), 0);
  EXPECT_EQ(std::ranges::count(report.removals, Outcome::kCameInUse, &engine::DeadRemoval::outcome),
            2);
}

TEST_F(Left, AContainerThatWasOnlyCreatedIsDeadUntilItIsStarted) {
  const auto pod = node_->pods().RunPod("new");
  ASSERT_TRUE(pod.ok()) << pod.error().message;
  const auto created = node_->pods().CreateContainer(*pod, {.name = "new", .image = kApp});
  ASSERT_TRUE(created.ok()) << created.error().message;
  const auto now = remover_->Look(*created);
  ASSERT_TRUE(now.ok()) << now.error().message;
  EXPECT_EQ(now->state, image::ContainerState::kCreated);
  image::DeadPlan plan = Plan({});
  for (image::DeadThing& thing : plan.things) thing.verdict = image::DeadVerdict::kGoes;
  ASSERT_TRUE(node_->pods().StartContainer(*created).ok());
  EXPECT_THAT(Reclaim(plan).removals,
              Each(Field(&engine::DeadRemoval::outcome, Outcome::kCameInUse)));
  EXPECT_EQ(node_->pods().StateOf(*created).value(), ContainerState::kRunning);
}

}  // namespace
}  // namespace ebb::node
