// The daemon over a CRI server: what operators and their tools rely on.
#include <gmock/gmock.h>

#include <filesystem>

#include "cli/rig.h"
#include "daemon/rig.h"

namespace ebb::daemon {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Daemon : public cli::Cli {
 protected:
  void Start(const std::string& config) {
    Write(config_, kConfigHead + config);
    daemon_ = std::make_unique<cli::RunningEbb>(Line({"run"}, {"--config", config_}));
  }
  void StartListening(const std::string& config) {
    Start("listen: unix://" + http_ + "\n" + config);
    EXPECT_TRUE(Within([&] { return Get(http_, "/readyz").starts_with("HTTP/1.1 200"); }))
        << Get(http_, "/readyz");
  }
  // Every image that nothing else protects, whatever its age and the state of the disk.
  static std::string Everything() {
    return "maxImages: 1\nimageMinimumGCAge: 0s\nimageMinimumUnusedAge: 0s\n"
           "maxPercentPerRun: 100\n";
  }
  cli::Ran Stop() {
    daemon_->Signal(SIGTERM);
    return daemon_->Wait();
  }

  const std::string http_ = dir_ / "http.sock";
  const std::string config_ = dir_ / "config.yaml";
  std::unique_ptr<cli::RunningEbb> daemon_;
};

// P9.
TEST_F(Daemon, RemovesNothingUntilItIsToldTo) {
  StartListening(Everything());
  EXPECT_TRUE(
      Within([&] { return Metric(http_, "ebb_last_observation_timestamp_seconds") > "0"; }));
  const cli::Ran ran = Stop();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(IdleLeft(), 3U);
  EXPECT_THAT(ran.err, HasSubstr("would remove image=registry.example/idle-"));
  EXPECT_THAT(ran.err, HasSubstr("nothing is removed (mode is observe)"));
  EXPECT_TRUE(node_.asked().empty());
}

TEST_F(Daemon, EnforcingItRemovesWhatIsUnusedAndSaysWhy) {
  StartListening("mode: enforce\n" + Everything());
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0; }));
  const cli::Ran ran = Stop();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(node_.Has(ids_[3])) << "a container uses it";
  EXPECT_TRUE(node_.Has(pause_));
  EXPECT_THAT(ran.err, HasSubstr("removed image=registry.example/idle-a:1"));
  EXPECT_THAT(ran.err, HasSubstr("reason=too-many"));
  EXPECT_THAT(ran.err, HasSubstr("run trigger=images"));
}

// P2: it may know who needs any of them.
TEST_F(Daemon, WhileAPodSourceCannotBeUsedNoImageGoesAndTheLogSaysWhy) {
  StartListening("mode: enforce\npodSources: [{kubeconfig: /nowhere/kubelet.conf}]\n" +
                 Everything());
  EXPECT_TRUE(
      Within([&] { return Metric(http_, "ebb_last_observation_timestamp_seconds") > "0"; }));
  daemon_->Signal(SIGUSR1);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_EQ(IdleLeft(), 3U);
  EXPECT_THAT(Stop().err, HasSubstr("/nowhere/kubelet.conf"));
}

// P1.
TEST_F(Daemon, AnImageOfAPodThatHasNotStartedStays) {
  std::filesystem::create_directories(dir_ / "manifests");
  Write(dir_ / "manifests/app.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: app}\n"
        "spec: {containers: [{name: main, image: registry.example/idle-a:1}]}\n");
  StartListening("mode: enforce\npodSources: [{manifests: " + (dir_ / "manifests").string() +
                 "}]\n" + Everything());
  EXPECT_TRUE(Within([&] { return IdleLeft() == 1; }));
  EXPECT_TRUE(node_.Has(ids_[0]));
  std::filesystem::remove(dir_ / "manifests/app.yaml");
  EXPECT_TRUE(Within([&] {
    daemon_->Signal(SIGUSR1);
    return IdleLeft() == 0;
  })) << "once it is gone the image is as free as any";
  EXPECT_EQ(Stop().code, 0);
}

// P7: ages are kept in memory as long as they can be written nowhere.
TEST_F(Daemon, AHistoryThatCannotBeOpenedMakesImagesNoYoungerThanTheyAre) {
  std::filesystem::create_directories(dir_ / "state/history.db");
  StartListening(
      "mode: enforce\nmaxImages: 1\nimageMinimumGCAge: 1s\nimageMinimumUnusedAge: 0s\n"
      "maxPercentPerRun: 100\n");
  EXPECT_TRUE(Within([&] {
    daemon_->Signal(SIGUSR1);
    return IdleLeft() == 0;
  }));
  const cli::Ran ran = Stop();
  EXPECT_THAT(ran.err, HasSubstr("history.db"));
}

TEST_F(Daemon, ShowsWhatItDid) {
  StartListening("mode: enforce\n" + Everything());
  ASSERT_TRUE(Within([&] { return IdleLeft() == 0; }));
  EXPECT_TRUE(Within([&] {
    return Metric(http_, "ebb_images_removed_total{reason=\"too-many\"}") == "3";
  })) << Get(http_, "/metrics");
  EXPECT_THAT(Get(http_, "/healthz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Get(http_, "/status"), HasSubstr("\"apiVersion\""));
  EXPECT_THAT(Get(http_, "/status?output=table"), HasSubstr("in use"));
  EXPECT_THAT(Get(http_, "/nowhere"), StartsWith("HTTP/1.1 404"));
}

// A runtime's socket is root's alone; what the daemon saw is everybody's.
TEST_F(Daemon, WhoIsNotRootReadsTheStatusThatTheDaemonKnows) {
  constexpr uid_t kNobody = 65534;
  const std::string address = "127.0.0.1:" + FreePort();
  std::filesystem::permissions(dir_.path(), std::filesystem::perms(0755));
  Start("listen: " + address + "\n");
  const auto status = [&](const cli::Words& more) {
    cli::Words words = Line({"status"}, {"--config", config_});
    words.insert(words.end(), more.begin(), more.end());
    return cli::RunningEbb(words, {}, kNobody).Wait();
  };
  std::filesystem::permissions(dir_ / "cri.sock", std::filesystem::perms(0600));
  EXPECT_TRUE(Within([&] { return status({}).code == 0; })) << status({}).err;
  EXPECT_THAT(status({}).out, HasSubstr("in use"));
  EXPECT_THAT(status({}).err,
              AllOf(HasSubstr("permission denied"), HasSubstr("what the daemon saw last")));
  EXPECT_THAT(status({"-o", "json"}).out, StartsWith("{"));
  EXPECT_THAT(status({"--pressure"}).out, HasSubstr("SIGNAL"));
  EXPECT_EQ(Stop().code, 0);
  const cli::Ran ran = status({});
  EXPECT_EQ(ran.code, 4) << "there is no daemon any more";
  EXPECT_THAT(ran.err, HasSubstr(address));
}

TEST_F(Daemon, PausedItRemovesNothingAndResumedItGoesOn) {
  ASSERT_EQ(Run({"pause"}).code, 0);
  StartListening("mode: enforce\n" + Everything());
  EXPECT_TRUE(Within([&] { return Metric(http_, "ebb_paused") == "1"; }));
  daemon_->Signal(SIGUSR1);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_EQ(IdleLeft(), 3U);
  ASSERT_EQ(Run({"resume"}).code, 0);
  daemon_->Signal(SIGUSR1);
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0; }));
  EXPECT_EQ(Stop().code, 0);
}

TEST_F(Daemon, APauseEndsByItself) {
  ASSERT_EQ(Run({"pause", "--for", "2s"}).code, 0);
  StartListening("mode: enforce\n" + Everything());
  EXPECT_TRUE(Within([&] {
    daemon_->Signal(SIGUSR1);
    return IdleLeft() == 0;
  }));
  EXPECT_EQ(Stop().code, 0);
}

TEST_F(Daemon, AChangedConfigurationComesIntoForceByItself) {
  StartListening(Everything());
  // As a mounted ConfigMap changes: another file takes the place of this one.
  Write(config_ + ".new",
        kConfigHead + ("listen: unix://" + http_ + "\nmode: enforce\n") + Everything());
  std::filesystem::rename(config_ + ".new", config_);
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0; }));
  EXPECT_THAT(Stop().err, HasSubstr("is in force"));
}

TEST_F(Daemon, AWrongConfigurationLeavesTheOldOneInForceAndSaysSo) {
  StartListening("mode: enforce\n");
  EXPECT_EQ(Metric(http_, "ebb_config_reload_success"), "1");
  Write(config_, std::string(kConfigHead) + "mode: enforced\n");
  daemon_->Signal(SIGHUP);
  EXPECT_TRUE(Within([&] { return Metric(http_, "ebb_config_reload_success") == "0"; }));
  EXPECT_EQ(Metric(http_, "ebb_enforcing"), "1");
  const cli::Ran ran = Stop();
  EXPECT_THAT(ran.err, HasSubstr("the configuration in force stays"));
  EXPECT_THAT(ran.err, HasSubstr("'enforced' is not allowed"));
}

// A file that was there and is gone does not mean that the defaults are wanted.
TEST_F(Daemon, ARemovedConfigurationLeavesTheOldOneInForceToo) {
  StartListening("mode: enforce\n");
  std::filesystem::remove(config_);
  EXPECT_TRUE(Within([&] { return Metric(http_, "ebb_config_reload_success") == "0"; }));
  EXPECT_EQ(Metric(http_, "ebb_enforcing"), "1");
  Write(config_, kConfigHead + ("listen: unix://" + http_ + "\nmode: observe\n"));
  EXPECT_TRUE(Within([&] { return Metric(http_, "ebb_enforcing") == "0"; }));
  EXPECT_THAT(Stop().err, HasSubstr("the configuration in force stays"));
}

// P12: what keeps it from doing enough stands in the log, once.
TEST_F(Daemon, SaysOnceWhyTheTargetIsOutOfReach) {
  StartListening(
      "mode: enforce\nimageGCHighThresholdPercent: 2\nimageGCLowThresholdPercent: 1\n"
      "imageMinimumGCAge: 0s\nimageMinimumUnusedAge: 0s\nmaxPercentPerRun: 100\n");
  const auto looks = [&] {
    return Metric(http_, "ebb_phase_duration_seconds_count{phase=\"observe\"}");
  };
  for (int look = 0; look < 4; ++look) {
    const std::string before = looks();
    daemon_->Signal(SIGUSR1);
    EXPECT_TRUE(Within([&] { return looks() != before; }));
  }
  const std::string log = Stop().err;
  const auto first = log.find("out of reach");
  EXPECT_NE(first, std::string::npos) << log;
  EXPECT_EQ(log.find("out of reach", first + 1), std::string::npos) << log;
}

TEST_F(Daemon, AnImageThatComesBackAfterItWasRemovedIsARegret) {
  StartListening("mode: enforce\n" + Everything());
  ASSERT_TRUE(Within([&] { return IdleLeft() == 0; }));
  EXPECT_EQ(Metric(http_, "ebb_regrets_total"), "0");
  ASSERT_EQ(Run({"pause"}).code, 0);
  EXPECT_EQ(node_.AddImage("registry.example/idle-a:1", {100}), ids_[0]);
  EXPECT_TRUE(Within([&] {
    daemon_->Signal(SIGUSR1);
    return Metric(http_, "ebb_regrets_total") == "1";
  }));
}

TEST_F(Daemon, DoesNotStartWithAWrongConfiguration) {
  Start("mode: enforced\n");
  const cli::Ran ran = daemon_->Wait();
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("mode: 'enforced' is not allowed"));
}

TEST_F(Daemon, APortThatIsTakenKeepsNobodyFromCollecting) {
  Daemon::Start("listen: unix:///proc/nobody/may/listen/here\nmode: enforce\n" + Everything());
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0; }));
  EXPECT_THAT(Stop().err, HasSubstr("no metrics and no status"));
}

TEST_F(Daemon, WaitsForARuntimeThatIsNotThereYet) {
  const std::string endpoint = server_->endpoint();
  server_.reset();
  Write(config_, kConfigHead + ("listen: unix://" + http_ + "\nmode: enforce\n") + Everything());
  daemon_ = std::make_unique<cli::RunningEbb>(cli::Words{"run", "--config", config_,
                                                         "--runtime-endpoint", endpoint,
                                                         "--state-dir", (dir_ / "state").string()});
  EXPECT_TRUE(Within([&] { return Get(http_, "/readyz").starts_with("HTTP/1.1 503"); }));
  EXPECT_THAT(Get(http_, "/healthz"), StartsWith("HTTP/1.1 200")) << "waiting is no illness";
  auto server = wire::CriServer::Start(node_, {.path = dir_ / "cri.sock"});
  ASSERT_TRUE(server.ok()) << server.error().message;
  server_ = std::move(*server);
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0; }));
  EXPECT_EQ(Stop().code, 0);
}

TEST_F(Daemon, ARuntimeThatGoesAndComesBackIsFoundAgain) {
  StartListening("");
  server_.reset();
  daemon_->Signal(SIGUSR1);
  EXPECT_TRUE(Within([&] { return Get(http_, "/readyz").starts_with("HTTP/1.1 503"); }));
  auto server = wire::CriServer::Start(node_, {.path = dir_ / "cri.sock"});
  ASSERT_TRUE(server.ok()) << server.error().message;
  server_ = std::move(*server);
  EXPECT_TRUE(Within([&] { return Get(http_, "/readyz").starts_with("HTTP/1.1 200"); }));
  EXPECT_EQ(Stop().code, 0);
}

// P9: a node that has never seen a run of ours is not emptied by the first one.
TEST_F(Daemon, TheFirstEnforcingRunIsASmallOne) {
  for (int i = 0; i < 30; ++i) {
    (void)node_.AddImage("registry.example/more-" + std::to_string(i) + ":1", {100});
  }
  StartListening("mode: enforce\n" + Everything());
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0 && node_.ListImages().size() == 2; }));
  const std::string log = Stop().err;
  const auto first = log.find("run trigger=");
  ASSERT_NE(first, std::string::npos);
  EXPECT_THAT(log.substr(first, log.find('\n', first) - first), HasSubstr("10 images removed"));
}

// P11.
TEST_F(Daemon, TwoOfThemDoNotRemoveAtTheSameTime) {
  StartListening("mode: enforce\n" + Everything());
  cli::RunningEbb second(Line(
      {"run"}, {"--config", config_, "--listen", "unix://" + (dir_ / "second.sock").string()}));
  EXPECT_TRUE(Within([&] { return !Get(dir_ / "second.sock", "/healthz").empty(); }));
  EXPECT_TRUE(Within([&] { return IdleLeft() == 0; }));
  second.Signal(SIGTERM);
  EXPECT_EQ(second.Wait().code, 0);
  EXPECT_EQ(Stop().code, 0);
  EXPECT_EQ(node_.asked().size(), 3U) << "nothing is asked for twice";
}

}  // namespace
}  // namespace ebb::daemon
