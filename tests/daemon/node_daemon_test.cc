// The daemon on a real node: containerd, pods, a disk that fills.
#include <atomic>
#include <fstream>
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

class NodeDaemon : public Incident {
 protected:
  void Start(const std::string& config = "") {
    const std::string path = dir_ / "config.yaml";
    daemon::Write(path, daemon::kConfigHead + ("listen: unix://" + http_) +
                            "\nmode: enforce\nimageMinimumGCAge: 0s\nimageMinimumUnusedAge: 0s\n"
                            "maxPercentPerRun: 100\nlongIdle: 0s\n" +
                            config);
    daemon_ = std::make_unique<cli::RunningEbb>(
        Arguments{"run", "--config", path, "--runtime-endpoint",
                  "unix://" + (dir_ / "proxy.sock").string(), "--state-dir", dir_ / "state"});
    EXPECT_TRUE(Within([&] { return Get(http_, "/readyz").starts_with("HTTP/1.1 200"); }))
        << Get(http_, "/readyz");
  }
  std::string Stop() {
    daemon_->Signal(SIGTERM);
    const cli::Ran ran = daemon_->Wait();
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.err;
  }

  const std::string http_ = dir_ / "http.sock";
  std::unique_ptr<cli::RunningEbb> daemon_;
};

// Writes what an application would: steadily, at `bytes` a second, to a file of the node's disk.
class Writer {
 public:
  Writer(const std::string& directory, std::int64_t bytes)
      : thread_([this, directory, bytes] { Run(directory + "/application.log", bytes); }) {}
  ~Writer() {
    ended_ = true;
    thread_.join();
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  void Run(const std::string& path, std::int64_t bytes) {
    constexpr int kPerSecond = 10;
    std::ofstream file(path);
    const std::string piece(static_cast<std::size_t>(bytes / kPerSecond), 'x');
    while (!ended_) {
      file << piece << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kPerSecond));
    }
  }

  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

// The mark is 3 points below where a kubelet would begin; half a per cent is written every second.
TEST_F(NodeDaemon, HoldsTheDiskBelowTheKubeletsMarkWhileAWriterFillsIt) {
  StartPods();
  ASSERT_TRUE(node_->FillTo({78}).ok());
  Start("imageGCHighThresholdPercent: 82\nimageGCLowThresholdPercent: 80\n");
  int most = 0;
  {
    const Writer writer(node_->directory(), (std::int64_t{600} << 20) / 200);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      most = std::max(most, node_->Used()->value);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  EXPECT_LT(most, 85);
  EXPECT_GE(most, 82) << "the writer has crossed the mark";
  EXPECT_LT(IdleLeft(), kIdle);
  for (const char* name : {kRunning, kCreated, kExited, kPause}) EXPECT_TRUE(Has(name)) << name;
  EXPECT_THAT(Get(http_, "/metrics"), HasSubstr("ebb_images_removed_total{reason=\"over-mark\"}"));
  EXPECT_THAT(Stop(), HasSubstr("run trigger=used"));
}

// P12: these images are in no registry, and all of them together would not be enough.
TEST_F(NodeDaemon, ADiskThatSomethingElseHasFilledCostsNoImageAndThatIsReported) {
  StartPods();
  Start("imageGCHighThresholdPercent: 60\nimageGCLowThresholdPercent: 50\n");
  const Arguments used = {IdOf(kRunning), IdOf(kCreated), IdOf(kExited), IdOf(kPause)};
  ASSERT_TRUE(node_->FillTo({97}).ok());
  EXPECT_TRUE(Within([&] {
    return Get(http_, "/status?output=table").find("out of reach") != std::string::npos;
  })) << Get(http_, "/status?output=table");
  (void)Stop();
  EXPECT_EQ(IdleLeft(), kIdle);
  for (const std::string& id : used) EXPECT_THAT(AskedToRemove(), Not(::testing::Contains(id)));
  EXPECT_TRUE(node_->pods().RunPod("afterwards").ok());
}

// P11: each may do what it wants, no image in use and no sandbox image is ever lost through us.
TEST_F(NodeDaemon, BesideAKubeletItIsHarmlessAndComesFirst) {
  StartPods();
  ASSERT_TRUE(node_->FillTo({80}).ok());
  Start("imageGCHighThresholdPercent: 82\nimageGCLowThresholdPercent: 80\n");
  const auto connection = cri::Connect({.runtime = node_->endpoint(), .image = ""});
  ASSERT_TRUE(connection.ok());
  const auto runtime = cri::MakeRuntime(*connection);
  const auto remover = cri::MakeRemover(*connection);
  host::SystemFilesystems disk;
  host::SystemClock clock;
  testing::KubeletActor kubelet(*runtime, *remover, disk, clock, {.min_age = {}});
  {
    const Writer writer(node_->directory(), (std::int64_t{600} << 20) / 200);
    for (int tick = 0; tick < 20; ++tick) {
      EXPECT_TRUE(kubelet.RelievePressure().ok());
      EXPECT_TRUE(kubelet.CollectImages().ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  }
  EXPECT_THAT(kubelet.removed(), IsEmpty()) << "the disk never came to where the kubelet acts";
  EXPECT_LT(IdleLeft(), kIdle);
  (void)Stop();
  for (const char* name : {kRunning, kCreated, kExited, kPause}) EXPECT_TRUE(Has(name)) << name;
}

// What a kubelet does to the same node when nobody comes before it: the incident itself.
TEST_F(NodeDaemon, WithoutItTheKubeletRemovesThePauseImage) {
  ASSERT_TRUE(node_->FillTo({90}).ok());
  const auto connection = cri::Connect({.runtime = node_->endpoint(), .image = ""});
  ASSERT_TRUE(connection.ok());
  const auto runtime = cri::MakeRuntime(*connection);
  const auto remover = cri::MakeRemover(*connection);
  host::SystemFilesystems disk;
  host::SystemClock clock;
  testing::KubeletActor kubelet(*runtime, *remover, disk, clock, {.min_age = {}});
  ASSERT_TRUE(kubelet.RelievePressure().ok());
  EXPECT_FALSE(Has(kPause));
  EXPECT_EQ(IdleLeft(), 0) << "everything, not enough";
  EXPECT_FALSE(node_->pods().RunPod("afterwards").ok());
}

TEST_F(NodeDaemon, ARestartOfContainerdIsSurvived) {
  StartPods();
  Start("imageGCHighThresholdPercent: 60\nimageGCLowThresholdPercent: 58\n");
  ASSERT_TRUE(node_->KillAndStart().ok());
  ASSERT_TRUE(node_->FillTo({62}).ok());
  EXPECT_TRUE(Within([&] { return IdleLeft() < kIdle; }));
  (void)Stop();
  for (const char* name : {kRunning, kCreated, kExited, kPause}) EXPECT_TRUE(Has(name)) << name;
}

TEST_F(NodeDaemon, KilledAtAnyMomentItLosesNothingInUse) {
  StartPods();
  for (int round = 0; round < 5; ++round) {
    Start("imageGCHighThresholdPercent: 30\nimageGCLowThresholdPercent: 20\nmaxImagesPerRun: 1\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(150 * round));
    daemon_->Signal(SIGKILL);
    (void)daemon_->Wait();
  }
  for (const char* name : {kRunning, kCreated, kExited, kPause}) EXPECT_TRUE(Has(name)) << name;
  const cli::Ran ran = Ebb({"plan"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(node_->pods().StartContainer(created_).ok());
}

}  // namespace
}  // namespace ebb::node
