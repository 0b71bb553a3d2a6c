#include "config/node_triggers.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ebb::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

base::Result<NodeConfig> Parse(std::string_view body) {
  return ParseNodeConfig("apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n" + std::string(body),
                         "f");
}

std::string ErrorOf(std::string_view body) {
  const auto config = Parse(body);
  return config.ok() ? "accepted" : config.error().message;
}

constexpr std::string_view kEverything = R"(maxImages: 500
headroom: auto
reclaimHard:
  imagefs.available: 10%
  nodefs.inodesFree: 1Mi
reclaimSoft:
  imagefs.available: 15.5%
reclaimSoftGracePeriod:
  imagefs.available: 1m30s
reclaimMinimum:
  imagefs.available: 1Gi
dailyWindow: {from: "22:30", to: "04:00", imageGCLowThresholdPercent: 60}
listen: unix:///run/ebb.sock
)";

TEST(NodeTriggers, EveryKeyIsRead) {
  const auto config = Parse(kEverything);
  ASSERT_TRUE(config.ok()) << config.error().message;
  const image::Triggers& triggers = config->policy.triggers;
  ASSERT_EQ(triggers.thresholds.size(), 3U);
  EXPECT_EQ(triggers.thresholds[0].value.percent, 10);
  EXPECT_EQ(triggers.thresholds[0].reclaim.count, 1LL << 30);
  EXPECT_EQ(triggers.thresholds[1].signal, image::Signal::kNodefsInodesFree);
  EXPECT_EQ(triggers.thresholds[2].grace, seconds(90));
  EXPECT_EQ(triggers.thresholds[2].value.percent, 15.5);
  EXPECT_EQ(triggers.max_images, 500U);
  EXPECT_FALSE(triggers.headroom);
  ASSERT_TRUE(triggers.window);
  EXPECT_EQ(triggers.window->from, hours(22) + minutes(30));
  EXPECT_EQ(triggers.window->low, base::Percent{60});
  EXPECT_EQ(config->listen, "unix:///run/ebb.sock");
}

TEST(NodeTriggers, WhatIsWrittenIsReadAgain) {
  const auto config = Parse(kEverything);
  ASSERT_TRUE(config.ok());
  const std::string text = RenderNodeConfig(*config);
  const auto again = ParseNodeConfig(text, "f");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(RenderNodeConfig(*again), text);
  EXPECT_EQ(again->policy.triggers.thresholds, config->policy.triggers.thresholds);
}

TEST(NodeTriggers, WithoutThemNothingButTheMarksTriggers) {
  const auto config = Parse("");
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(config->policy.triggers.thresholds.empty());
  EXPECT_EQ(config->policy.triggers.headroom, base::Bytes{0});
  EXPECT_EQ(config->listen, "127.0.0.1:9469");
}

// K-V17: as the kubelet has it.
TEST(NodeTriggers, KV17ZeroAndAHundredPerCentSwitchAThresholdOff) {
  for (const char* const off : {"0%", "100%"}) {
    const auto config = Parse("reclaimHard: {imagefs.available: " + std::string(off) + "}");
    ASSERT_TRUE(config.ok()) << off;
    EXPECT_TRUE(config->policy.triggers.thresholds.empty()) << off;
  }
}

TEST(NodeTriggers, KV18NamesWhatIsWrong) {
  EXPECT_EQ(ErrorOf("reclaimHard: {memory.available: 10%}"),
            "f:3: reclaimHard.memory.available: unknown signal: imagefs, containerfs or nodefs, "
            "with .available or .inodesFree");
  EXPECT_EQ(ErrorOf("reclaimHard: {imagefs.available: -1Gi}"),
            "f:3: reclaimHard.imagefs.available: '-1Gi' is not allowed: a share such as 10% or a "
            "quantity such as 1Gi");
  EXPECT_EQ(ErrorOf("mode: observe\nreclaimSoft: {imagefs.available: 10%}"),
            "f:4: reclaimSoft.imagefs.available: needs its period in reclaimSoftGracePeriod");
  EXPECT_EQ(ErrorOf("reclaimSoftGracePeriod: {imagefs.available: 1m}"),
            "f:3: reclaimSoftGracePeriod.imagefs.available: has no threshold in reclaimSoft");
  EXPECT_EQ(ErrorOf("reclaimMinimum: {imagefs.available: 1Gi}"),
            "f:3: reclaimMinimum.imagefs.available: has no threshold in reclaimHard or "
            "reclaimSoft");
  EXPECT_NE(ErrorOf("reclaimSoftGracePeriod: {imagefs.available: -1m}"), "accepted");
  EXPECT_NE(ErrorOf("reclaimHard: 10%"), "accepted");
  EXPECT_NE(ErrorOf("reclaimHard:"), "accepted");
}

TEST(NodeTriggers, AWindowNeedsTwoTimesAndAMark) {
  for (const char* const wrong :
       {"{from: \"22:00\", to: \"02:00\"}",
        "{from: \"24:00\", to: \"02:00\", "
        "imageGCLowThresholdPercent: 60}",
        "{from: \"2:00\", to: \"02:00\", "
        "imageGCLowThresholdPercent: 60}",
        "{from: \"02:60\", to: \"02:00\", "
        "imageGCLowThresholdPercent: 60}",
        "{from: \"02:00\", to: \"03:00\", low: 60}", "always", "[]", ""}) {
    EXPECT_NE(ErrorOf("dailyWindow: " + std::string(wrong)), "accepted") << wrong;
  }
  EXPECT_EQ(ErrorOf("dailyWindow: none"), "accepted");
}

TEST(NodeTriggers, AnAddressHasAPortAndASocketIsAnAbsolutePath) {
  for (const char* const right :
       {"127.0.0.1:9469", "\"[::1]:0\"", "unix:///run/ebb.sock", "\"\""}) {
    EXPECT_EQ(ErrorOf("listen: " + std::string(right)), "accepted") << right;
  }
  for (const char* const wrong :
       {"127.0.0.1", "\":9469\"", "host:65536", "host:x", "unix://a", ""}) {
    EXPECT_NE(ErrorOf("listen: " + std::string(wrong)), "accepted") << wrong;
  }
}

TEST(NodeTriggers, APodSourceIsAUrlADirectoryOrAFile) {
  const auto config = Parse(R"(podSources:
  - {kubelet: "https://127.0.0.1:10250"}
  - {manifests: /etc/kubernetes/manifests}
  - {kubeconfig: /etc/kubernetes/kubelet.conf}
)");
  ASSERT_TRUE(config.ok()) << config.error().message;
  ASSERT_EQ(config->pod_sources.size(), 3U);
  EXPECT_EQ(config->pod_sources[1].kind, PodSourceConfig::Kind::kManifests);
  EXPECT_EQ(config->pod_sources[0].place, "https://127.0.0.1:10250");
  const auto more = Parse(R"(podSources:
  - {kubelet: "https://10.0.0.7:10250", tokenFile: /etc/ebb/token, caFile: /etc/ebb/ca.crt}
  - {serviceAccount: /var/run/secrets/kubernetes.io/serviceaccount}
)");
  ASSERT_TRUE(more.ok()) << more.error().message;
  EXPECT_EQ(more->pod_sources[0].token_file, "/etc/ebb/token");
  EXPECT_EQ(more->pod_sources[0].ca_file, "/etc/ebb/ca.crt");
  EXPECT_EQ(more->pod_sources[1].kind, PodSourceConfig::Kind::kServiceAccount);
  for (const char* const wrong :
       {"[{manifests: /a, tokenFile: /b}]", "[{kubelet: \"https://a\", tokenFile: b}]",
        "[{tokenFile: /a}]", "[{}]", "[{kubelet: 127.0.0.1}]", "[{manifests: manifests}]",
        "[{api: https://a}]", "[{kubelet: \"https://a\", manifests: /a}]", "[kubelet]",
        "kubelet"}) {
    EXPECT_NE(ErrorOf("podSources: " + std::string(wrong)), "accepted") << wrong;
  }
}

TEST(NodeTriggers, TheNameOfANodeIsOneThatKubernetesAllows) {
  EXPECT_EQ(Parse("nodeName: worker-7.example\n")->node_name, "worker-7.example");
  EXPECT_NE(ErrorOf("nodeName: Worker"), "accepted");
  EXPECT_NE(ErrorOf("nodeName: [a]"), "accepted");
}

}  // namespace
}  // namespace ebb::config
