// Races, crashes and two of everything, on a real node.
#include <atomic>
#include <filesystem>

#include "incidents/rig.h"

namespace ebb::node {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool IsRemoval(const wire::Call& call) {
  return wire::Removes(call.method);
}

TEST_F(Incident, AContainerCreatedBetweenPlanAndRemovalSavesItsImage) {
  std::atomic<int> listings = 0;
  std::atomic<bool> saved = false;
  StartProxy([&](const wire::Call& call) {
    // The first listing makes the plan, the second is the last look.
    if (!call.method.ends_with("/ListContainers") || ++listings != 2) return;
    saved = node_->pods().RunApp("late", Idle(0)).ok();
  });
  const cli::Ran ran = Ebb({"collect", "--yes", "--all-unused"});
  ASSERT_TRUE(saved);
  EXPECT_TRUE(Has(Idle(0))) << ran.out;
  EXPECT_EQ(IdleLeft(), 1);
}

TEST_F(Incident, ContainerdKilledInTheMiddleLosesNothingAndTheNextRunCompletes) {
  std::atomic<bool> killed = false;
  StartProxy([&](const wire::Call& call) {
    if (IsRemoval(call) && !killed.exchange(true)) node_->containerd().Kill();
  });
  const cli::Ran cut = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_THAT(cut.code, AnyOf(1, 4)) << cut.out << cut.err;
  ASSERT_TRUE(node_->containerd().Start().ok());
  ASSERT_TRUE(node_->pods().WaitReady().ok());
  StartProxy({});
  const cli::Ran next = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_EQ(next.code, 0) << next.out << next.err;
  EXPECT_EQ(IdleLeft(), 0);
  EXPECT_TRUE(Has(kPause));
}

TEST_F(Incident, TwoRuntimesThatNobodyNamedAreWarnedAboutAndCollectRefuses) {
  auto other = MakeNode({.volume = {.size = {std::int64_t{200} << 20}}});
  ASSERT_NE(other, nullptr);
  std::filesystem::create_directories("/run/containerd");
  std::filesystem::create_directories("/run/crio");
  std::filesystem::create_symlink(node_->socket(), "/run/containerd/containerd.sock");
  std::filesystem::create_symlink(other->socket(), "/run/crio/crio.sock");
  const Arguments state = {"--state-dir", dir_ / "state"};
  const cli::Ran status = cli::Ebb({"status", state[0], state[1]});
  EXPECT_EQ(status.code, 0) << status.err;
  EXPECT_THAT(status.out, HasSubstr("another container runtime answers"));
  const cli::Ran collect = cli::Ebb({"collect", "--yes", "--all-unused", state[0], state[1]});
  EXPECT_EQ(collect.code, 2) << collect.out;
  EXPECT_THAT(collect.err, HasSubstr("--runtime-endpoint"));
  EXPECT_EQ(IdleLeft(), kIdle);
  std::filesystem::remove("/run/containerd/containerd.sock");
  std::filesystem::remove("/run/crio/crio.sock");
}

TEST_F(Incident, TheKubeletsCollectorAtTheSameTimeIsHarmless) {
  std::atomic<int> removals = 0;
  StartProxy([&](const wire::Call& call) {
    // Somebody else removes the same image first, as the kubelet would.
    if (IsRemoval(call) && ++removals % 2 == 0) (void)node_->pods().RemoveImage(call.object);
  });
  const cli::Ran ran = Ebb({"collect", "--yes", "--all-unused"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(IdleLeft(), 0);
}

}  // namespace
}  // namespace ebb::node
