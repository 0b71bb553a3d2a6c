// What was left behind, through real gRPC: however much it is, and whatever its state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "contract/subject.h"
#include "cri/dead.h"
#include "engine/dead.h"
#include "testing/heard_pod.h"

namespace ebb::contract {
namespace {

using image::ContainerState;
using image::Outcome;
using ::testing::Each;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kImage = "registry.example/app:1";

class DeadThroughCri : public ::testing::Test {
 protected:
  DeadThroughCri() {
    node_.AddImage(kImage, {100});
    server_ = std::move(*wire::CriServer::Start(node_, {.path = dir_ / "cri.sock"}));
    const auto connection = *cri::Connect({.runtime = server_->endpoint()});
    runtime_ = cri::MakeRuntime(connection);
    remover_ = cri::MakeContainerRemover(connection);
  }

  std::string AddSandbox(ContainerState state = ContainerState::kExited) {
    const std::string id = node_.AddSandbox(kImage);
    node_.SetState(id, state);
    return id;
  }
  std::string AddContainer(const std::string& sandbox,
                           ContainerState state = ContainerState::kExited) {
    return node_.AddContainer({.image = kImage, .state = state, .sandbox = sandbox});
  }
  image::DeadPlan Plan(const std::vector<std::string>& known_uids) {
    image::Observation seen;
    seen.taken_at = clock_.Now();
    auto inventory = runtime_->List();
    EXPECT_TRUE(inventory.ok()) << inventory.error().message;
    seen.containers = std::move(inventory->containers);
    seen.sandboxes = std::move(inventory->sandboxes);
    std::vector<image::Pod> pods;
    pods.reserve(known_uids.size());
    for (const std::string& uid : known_uids) pods.push_back({.uid = uid, .config_hash = {}});
    return testing::DecideBesideAPod(seen, {.pods = pods, .not_answered = {}, .silent = {}},
                                     {.remove = true});
  }
  engine::DeadReport Reclaim(const image::DeadPlan& plan) {
    return engine::ReclaimDead(
        {.clock = clock_, .runtime = *runtime_, .remover = *remover_, .filesystems = disk_}, plan,
        {});
  }

  // Whether a runtime that sends no larger message could answer.
  bool ListsWithin(base::Bytes limit) {
    const auto limited = wire::CriServer::Start(
        node_, {.path = dir_ / "limited.sock", .max_send_bytes = static_cast<int>(limit.count)});
    (*limited)->SetPadding(kPadding);
    return cri::MakeRuntime(*cri::Connect({.runtime = (*limited)->endpoint()}))->List().ok();
  }

  static constexpr std::size_t kPadding = 512;  // labels and annotations of a kubelet

  testing::ManualClock clock_;
  testing::FakeNode node_{testing::Containerd17(), clock_};
  testing::TempDir dir_;
  testing::FakeDisk disk_{node_};
  std::unique_ptr<wire::CriServer> server_;
  std::unique_ptr<engine::Runtime> runtime_;
  std::unique_ptr<engine::ContainerRemover> remover_;
};

TEST_F(DeadThroughCri, TwentyFourThousandDeadContainersAreListedDecidedAndCleared) {
  const std::string sandbox = AddSandbox();
  for (int i = 0; i < 24'000; ++i) AddContainer(sandbox);
  server_->SetPadding(kPadding);
  clock_.Advance(std::chrono::hours(2));
  EXPECT_FALSE(ListsWithin({16 << 20})) << "as large as that";
  const image::DeadPlan plan = Plan({});
  ASSERT_THAT(plan.things, SizeIs(24'001));
  EXPECT_THAT(plan.things, Each(Field(&image::DeadThing::verdict, image::DeadVerdict::kGoes)));
  const engine::DeadReport report = Reclaim(plan);
  EXPECT_EQ(report.problem, "");
  EXPECT_THAT(report.removals, Each(Field(&engine::DeadRemoval::outcome, Outcome::kRemoved)));
  EXPECT_THAT(node_.ListContainers(), IsEmpty());
  EXPECT_THAT(node_.ListSandboxes(), IsEmpty());
}

TEST_F(DeadThroughCri, PodsAreToldApartByTheUidThatTheRuntimeTells) {
  const std::string known = AddSandbox();
  const std::string known_container = AddContainer(known);
  const std::string gone = AddSandbox();
  const std::string gone_container = AddContainer(gone, ContainerState::kCreated);
  clock_.Advance(std::chrono::hours(2));
  (void)Reclaim(Plan({node_.PodOf(known)}));
  EXPECT_TRUE(node_.StateOf(known));
  EXPECT_TRUE(node_.StateOf(known_container));
  EXPECT_FALSE(node_.StateOf(gone));
  EXPECT_FALSE(node_.StateOf(gone_container));
}

TEST_F(DeadThroughCri, WhatIsStartedBetweenPlanAndRemovalIsLeftAlone) {
  const std::string sandbox = AddSandbox();
  const std::string container = AddContainer(sandbox, ContainerState::kCreated);
  clock_.Advance(std::chrono::hours(2));
  const image::DeadPlan plan = Plan({});
  for (const auto state : {ContainerState::kRunning, ContainerState::kUnknown}) {
    node_.SetState(container, state);
    EXPECT_THAT(Reclaim(plan).removals,
                Each(Field(&engine::DeadRemoval::outcome, Outcome::kCameInUse)));
    EXPECT_TRUE(node_.StateOf(container));
    EXPECT_TRUE(node_.StateOf(sandbox));
  }
}

TEST_F(DeadThroughCri, ASandboxThatCannotBeStoppedIsNotRemoved) {
  const std::string sandbox = AddSandbox();
  clock_.Advance(std::chrono::hours(2));
  const image::DeadPlan plan = Plan({});
  server_->faults().Set("StopPodSandbox", {.code = grpc::StatusCode::INTERNAL, .message = "cni"});
  EXPECT_THAT(Reclaim(plan).removals, Each(Field(&engine::DeadRemoval::outcome, Outcome::kFailed)));
  EXPECT_TRUE(node_.StateOf(sandbox));
}

TEST_F(DeadThroughCri, WhatIsGoneByNowIsAsGoodAsDone) {
  const std::string sandbox = AddSandbox();
  AddContainer(sandbox);
  clock_.Advance(std::chrono::hours(2));
  const image::DeadPlan plan = Plan({});
  node_.RemoveSandbox(sandbox);
  EXPECT_THAT(Reclaim(plan).removals, Each(Field(&engine::DeadRemoval::outcome, Outcome::kGone)));
  server_->faults().Set("RemovePodSandbox", {.code = grpc::StatusCode::NOT_FOUND, .message = ""});
  EXPECT_EQ(remover_->RemoveSandbox(sandbox).error().code, base::ErrorCode::kNotFound);
}

TEST_F(DeadThroughCri, LooksAtStateAndLogPath) {
  const std::string id = AddContainer(AddSandbox());
  const auto now = remover_->Look(id);
  ASSERT_TRUE(now.ok());
  EXPECT_EQ(now->state, ContainerState::kExited);
  EXPECT_EQ(now->log_path, "/var/log/pods/" + id + "/0.log");
  EXPECT_EQ(remover_->Look("nothing").error().code, base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ebb::contract
