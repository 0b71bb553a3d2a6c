// The second incident on a real node: the sandbox image is removed as a kubelet does it, there is
// no registry, and pods have to start all the same.
#include <chrono>
#include <iostream>
#include <thread>

#include "cri/connect.h"
#include "cri/remover.h"
#include "cri/runtime.h"
#include "daemon/rig.h"
#include "host/clock.h"
#include "host/filesystems.h"
#include "incidents/rig.h"
#include "testing/kubelet_actor.h"

namespace ebb::node {
namespace {

using daemon::Get;
using daemon::Metric;
using daemon::Within;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Clock = std::chrono::steady_clock;

constexpr auto kBound = std::chrono::seconds(10);  // generous: what matters is that it comes back

class GuardedNode : public Incident {
 protected:
  void Start(const std::string& config = "") {
    const std::string path = dir_ / "config.yaml";
    daemon::Write(path, daemon::kConfigHead + ("listen: unix://" + http_) +
                            "\nimageMinimumGCAge: 0s\nimageMinimumUnusedAge: 0s\n" +
                            (config.empty() ? "mode: enforce\n" : config));
    daemon_ = std::make_unique<cli::RunningEbb>(Arguments{"run", "--config", path,
                                                          "--runtime-endpoint", node_->endpoint(),
                                                          "--state-dir", dir_ / "state"});
    EXPECT_TRUE(Within([&] { return Get(http_, "/readyz").starts_with("HTTP/1.1 200"); }))
        << Get(http_, "/readyz");
  }
  void StartGuard() {
    Start();
    ASSERT_TRUE(Within([&] { return Guarded(kPause); })) << Records();
    // The stream of events says nothing when it stands.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  std::string Stop() {
    daemon_->Signal(SIGTERM);
    const cli::Ran ran = daemon_->Wait();
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.err;
  }
  std::string Ctr(const Words& words) const {
    const auto text = node_->containerd().Ctr(words);
    EXPECT_TRUE(text.ok()) << text.error().message;
    return text.ok() ? *text : "";
  }
  std::string Records() const { return Ctr({"images", "ls"}); }
  std::string Leases() const { return Ctr({"leases", "ls"}); }
  bool Guarded(const std::string& name) const {
    const std::string all = Records();
    const auto at = all.find(name + " ");
    return at != std::string::npos &&
           all.substr(at, all.find('\n', at) - at).find("ebb.dev/guard=pin") != std::string::npos &&
           Leases().find("ebb.dev/guard") != std::string::npos;
  }
  // Removes it as a kubelet does, by ID, and waits for it. Returns how long it was gone.
  std::chrono::milliseconds LosePause() {
    const std::string id = IdOf(kPause);
    EXPECT_TRUE(node_->pods().RemoveImage(id).ok());
    const auto start = Clock::now();
    while (!Has(kPause) && Clock::now() < start + kBound) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_TRUE(Has(kPause)) << "it is not back";
    EXPECT_EQ(IdOf(kPause), id);
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  }
  void ExpectPodStarts(const std::string& name) {
    const auto pod = node_->pods().RunPod(name);
    EXPECT_TRUE(pod.ok()) << pod.error().message;
  }

  const std::string http_ = dir_ / "http.sock";
  std::unique_ptr<cli::RunningEbb> daemon_;
};

TEST_F(GuardedNode, WithoutSandboxesTheRemovedPauseImageIsBackAndAPodStarts) {
  StartGuard();
  std::cout << "back after " << LosePause().count() << " ms\n";
  ExpectPodStarts("afterwards");
  EXPECT_TRUE(Within([&] { return Metric(http_, "ebb_guarded_images") == "1"; }));
  EXPECT_TRUE(Within([&] { return Metric(http_, "ebb_guard_restores_total") == "1"; }));
  EXPECT_THAT(Stop(), HasSubstr("was removed by somebody and is back"));
}

TEST_F(GuardedNode, WithSandboxesTheRemovedPauseImageIsBackAndAPodStarts) {
  StartPods();
  StartGuard();
  std::cout << "back after " << LosePause().count() << " ms\n";
  ExpectPodStarts("afterwards");
  (void)Stop();
}

TEST_F(GuardedNode, HoldsOutAgainstRemovalsOverAndOverBesideOthers) {
  StartGuard();
  std::vector<std::int64_t> times;
  for (int round = 0; round < 10; ++round) {
    if (round < kIdle) {
      EXPECT_TRUE(node_->pods().RemoveImage(Idle(round)).ok());
    }
    times.push_back(LosePause().count());
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  std::ranges::sort(times);
  std::cout << "back after " << times.front() << "-" << times.back() << " ms, median "
            << times[times.size() / 2] << " ms\n";
  ExpectPodStarts("afterwards");
  (void)Stop();
}

// What the kubelet's eviction manager does: everything unused, again and again.
TEST_F(GuardedNode, BesideAKubeletThatEvictsImagesPodsStart) {
  StartGuard();
  const auto connection = cri::Connect({.runtime = node_->endpoint(), .image = ""});
  ASSERT_TRUE(connection.ok());
  const auto runtime = cri::MakeRuntime(*connection);
  const auto remover = cri::MakeRemover(*connection);
  host::SystemFilesystems disk;
  host::SystemClock clock;
  testing::KubeletActor kubelet(*runtime, *remover, disk, clock, {.min_age = {}});
  ASSERT_TRUE(node_->FillTo({96}).ok());
  for (int tick = 0; tick < 10; ++tick) {
    EXPECT_TRUE(kubelet.RelievePressure().ok());
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  EXPECT_THAT(kubelet.removed(), Not(IsEmpty()));
  ASSERT_TRUE(Within([&] { return Has(kPause); }));
  ExpectPodStarts("afterwards");
  (void)Stop();
}

// An air-gapped node: the lease of the distribution goes with a restart, then the kubelet comes.
TEST_F(GuardedNode, TheSecondIncidentStepByStep) {
  const auto pause = IdOf(kPause);
  Ctr({"leases", "create", "--id", "k3s"});
  StartGuard();
  (void)Stop();
  Ctr({"leases", "rm", "k3s"});
  ASSERT_TRUE(node_->containerd().Restart().ok());
  ASSERT_TRUE(node_->pods().WaitReady().ok());
  ASSERT_TRUE(node_->FillTo({90}).ok());
  ASSERT_TRUE(node_->pods().RemoveImage(pause).ok());
  EXPECT_FALSE(Has(kPause)) << "nobody stands by";
  EXPECT_FALSE(node_->pods().RunPod("without").ok()) << "this is the incident";
  const cli::Ran restored = Ebb({"guard", "restore"});
  EXPECT_EQ(restored.code, 0) << restored.out << restored.err;
  EXPECT_THAT(restored.out, HasSubstr("was brought back"));
  ExpectPodStarts("afterwards");
  ASSERT_TRUE(node_->pods().RemoveImage(pause).ok());
  Start();
  EXPECT_TRUE(Within([&] { return Has(kPause); })) << "lost while nobody stood by";
  (void)Stop();
}

TEST_F(GuardedNode, LabelsMarkersAndLeasesThatSomebodyTakesAwayComeBack) {
  StartGuard();
  Ctr({"images", "label", kPause, "io.cri-containerd.pinned=", "ebb.dev/guard="});
  EXPECT_TRUE(Within([&] { return Guarded(kPause); })) << Records();
  std::istringstream leases(Ctr({"leases", "ls", "-q"}));
  for (std::string lease; std::getline(leases, lease);) Ctr({"leases", "rm", lease});
  daemon_->Signal(SIGUSR1);
  EXPECT_TRUE(Within([&] { return Leases().find("ebb.dev/guard") != std::string::npos; }));
  (void)Stop();
}

TEST_F(GuardedNode, ARestartOfContainerdDoesNotEndTheGuard) {
  StartGuard();
  ASSERT_TRUE(node_->containerd().Restart().ok());
  ASSERT_TRUE(node_->pods().WaitReady().ok());
  const std::string id = IdOf(kPause);
  ASSERT_TRUE(node_->pods().RemoveImage(id).ok());
  EXPECT_TRUE(Within([&] { return Has(kPause); }));
  ExpectPodStarts("afterwards");
  (void)Stop();
}

TEST_F(GuardedNode, RemovedItLeavesNothingOfOurs) {
  const std::string before = Records();
  StartGuard();
  (void)Stop();
  ASSERT_EQ(Ebb({"guard", "add", kRunning}).code, 0);
  EXPECT_TRUE(Guarded(kRunning));
  EXPECT_THAT(Ebb({"guard", "list"}).out, HasSubstr(kRunning));
  const cli::Ran removed = Ebb({"guard", "remove", "--all"});
  EXPECT_EQ(removed.code, 0) << removed.err;
  EXPECT_EQ(Records(), before);
  EXPECT_THAT(Leases(), Not(HasSubstr("ebb")));
  EXPECT_THAT(Ebb({"guard", "list"}).out, HasSubstr("Nothing is guarded"));
}

TEST_F(GuardedNode, OnlyObservingItGuardsNothingUnlessItIsTold) {
  const std::string before = Records();
  Start("mode: observe\n");
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_EQ(Records(), before);
  (void)Stop();
  Start("mode: observe\nguard: on\n");
  EXPECT_TRUE(Within([&] { return Guarded(kPause); }));
  const cli::Ran status = Ebb({"status"});
  EXPECT_THAT(status.out, HasSubstr("repaired: " + std::string(kPause))) << status.out;
  EXPECT_THAT(Ebb({"explain", kPause}).out, HasSubstr("yes: the guard brings it back"));
  (void)Stop();
  EXPECT_THAT(Ebb({"status"}).out, HasSubstr("exposed"));
  Start("mode: enforce\nguard: off\n");
  EXPECT_TRUE(Within([&] { return Records() == before; })) << Records();
  (void)Stop();
}

}  // namespace
}  // namespace ebb::node
