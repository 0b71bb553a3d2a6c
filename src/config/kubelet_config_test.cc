#include "config/kubelet_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::config {
namespace {

using base::Bytes;
using base::Percent;
using image::Quantity;

constexpr std::string_view kHead =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

KubeletFile Main(std::string_view body) {
  return {.name = "config.yaml", .text = std::string(kHead).append(body)};
}

base::Result<KubeletFacts> Merge(std::string_view body,
                                 const std::vector<KubeletFile>& drop_ins = {},
                                 const std::vector<std::string>& args = {}) {
  return MergeKubelet(ParseKubeletFlags(args), Main(body), drop_ins);
}

std::optional<Quantity> Imagefs(std::string_view body,
                                const std::vector<KubeletFile>& drop_ins = {},
                                const std::vector<std::string>& args = {}) {
  const auto facts = Merge(body, drop_ins, args);
  EXPECT_TRUE(facts.ok()) << facts.error().message;
  return facts.ok() ? facts->thresholds.hard_imagefs : std::nullopt;
}

TEST(KubeletConfig, WhatNobodySaysHasTheKubeletsDefault) {
  const auto facts = MergeKubelet({}, {}, {});
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->thresholds.image_gc_high, Percent{85});
  EXPECT_EQ(facts->thresholds.image_gc_low, Percent{80});
  EXPECT_EQ(facts->thresholds.hard_imagefs, Quantity(Percent{15}));
  EXPECT_EQ(facts->thresholds.source, "the kubelet's defaults");
  EXPECT_EQ(facts->runtime_endpoint, "");
}

TEST(KubeletConfig, ReadsYamlAndIgnoresWhatItDoesNotKnow) {
  const auto facts = Merge(R"(authentication: {anonymous: {enabled: false}}
containerRuntimeEndpoint: unix:///run/crio/crio.sock
imageServiceEndpoint: unix:///run/stargz.sock
imageGCHighThresholdPercent: 70
imageGCLowThresholdPercent: 0
staticPodPath: /etc/kubernetes/manifests
evictionHard:
  memory.available: 100Mi
  imagefs.available: 2Gi
)");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts->runtime_endpoint, "unix:///run/crio/crio.sock");
  EXPECT_EQ(facts->image_endpoint, "unix:///run/stargz.sock");
  EXPECT_EQ(facts->static_pod_path, "/etc/kubernetes/manifests");
  EXPECT_EQ(facts->thresholds.image_gc_high, Percent{70});
  EXPECT_EQ(facts->thresholds.image_gc_low, Percent{0});
  EXPECT_EQ(facts->thresholds.hard_imagefs, Quantity(Bytes{2LL << 30}));
  EXPECT_EQ(facts->thresholds.source, "config.yaml");
}

TEST(KubeletConfig, ReadsJson) {
  const KubeletFile json{.name = "config.json", .text = R"({"kind":"KubeletConfiguration",
    "imageGCHighThresholdPercent":90,"evictionHard":{"imagefs.available":"8%"}})"};
  const auto facts = MergeKubelet({}, json, {});
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts->thresholds.image_gc_high, Percent{90});
  EXPECT_EQ(facts->thresholds.hard_imagefs, Quantity(Percent{8}));
}

TEST(KubeletConfig, AnEvictionMapWithoutImagefsDropsTheDefaultUnlessDefaultsAreMerged) {
  EXPECT_EQ(Imagefs("evictionHard: {memory.available: 1Gi}\n"), std::nullopt);
  EXPECT_EQ(Imagefs("evictionHard: {}\n"), std::nullopt);
  EXPECT_EQ(Imagefs("evictionHard:\n"), Quantity(Percent{15}));
  EXPECT_EQ(Imagefs("evictionHard: {memory.available: 1Gi}\nmergeDefaultEvictionSettings: true\n"),
            Quantity(Percent{15}));
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 5%}\nmergeDefaultEvictionSettings: true\n"),
            Quantity(Percent{5}));
  EXPECT_EQ(Imagefs("evictionHard: {a: b}\nmergeDefaultEvictionSettings: false\n"), std::nullopt);
}

TEST(KubeletConfig, ZeroAndHundredPerCentMeanNoEviction) {
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 0%}\n"), std::nullopt);
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 100%}\n"), std::nullopt);
}

TEST(KubeletConfig, AFractionOfAPerCentIsRoundedTowardsAnEarlierEviction) {
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 10.5%}\n"), Quantity(Percent{11}));
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 0.1%}\n"), Quantity(Percent{1}));
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 99.5%}\n"), Quantity(Percent{99}));
}

TEST(KubeletConfig, ALaterDropInWinsKeyByKeyAndMapsAreMerged) {
  const std::vector<KubeletFile> drop_ins = {
      {"10-a.conf", "imageGCHighThresholdPercent: 60\nevictionHard: {imagefs.available: 7%}\n"},
      {"20-b.conf", "imageGCHighThresholdPercent: 61\nevictionHard: {nodefs.available: 9%}\n"}};
  const auto facts = Merge("imageGCLowThresholdPercent: 50\n", drop_ins);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->thresholds.image_gc_high, Percent{61});
  EXPECT_EQ(facts->thresholds.image_gc_low, Percent{50});
  EXPECT_EQ(facts->thresholds.hard_imagefs, Quantity(Percent{7}));
  EXPECT_EQ(facts->thresholds.source, "config.yaml, 10-a.conf, 20-b.conf");
}

TEST(KubeletConfig, TheMapOfADropInIsMergedIntoTheDefaultsToo) {
  EXPECT_EQ(Imagefs("", {{"a.conf", "evictionHard: {nodefs.available: 9%}\n"}}),
            Quantity(Percent{15}));
  EXPECT_EQ(Imagefs("evictionHard: {memory.available: 1Gi}\n",
                    {{"a.conf", "evictionHard: {nodefs.available: 9%}\n"}}),
            std::nullopt);
}

TEST(KubeletConfig, ANullInADropInTakesASettingBack) {
  const auto facts = Merge("imageGCHighThresholdPercent: 60\n",
                           {{"a.conf", "imageGCHighThresholdPercent: null\n"}});
  EXPECT_EQ(facts->thresholds.image_gc_high, Percent{85});
}

TEST(KubeletConfig, FlagsBeatFilesAndReplaceTheEvictionMap) {
  const std::vector<KubeletFile> drop_ins = {{"a.conf", "imageGCHighThresholdPercent: 60\n"}};
  const auto facts = Merge("evictionHard: {imagefs.available: 7%}\n", drop_ins,
                           {"--image-gc-high-threshold=77", "--image-gc-low-threshold", "66",
                            "--eviction-hard=imagefs.available<5%,nodefs.available<10%",
                            "--container-runtime-endpoint", "unix:///run/a.sock"});
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->thresholds.image_gc_high, Percent{77});
  EXPECT_EQ(facts->thresholds.image_gc_low, Percent{66});
  EXPECT_EQ(facts->thresholds.hard_imagefs, Quantity(Percent{5}));
  EXPECT_EQ(facts->runtime_endpoint, "unix:///run/a.sock");
  EXPECT_EQ(facts->thresholds.source, "config.yaml, a.conf, the kubelet's flags");
  EXPECT_EQ(Imagefs("evictionHard: {imagefs.available: 7%}\n", {},
                    {"--eviction-hard", "memory.available<1Gi"}),
            std::nullopt);
}

TEST(KubeletConfig, ABrokenFileIsAnErrorThatNamesFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"imageGCHighThresholdPercent: abc\n",
       "config.yaml:3: imageGCHighThresholdPercent: 'abc' is not allowed: a whole number 0-100"},
      {"imageGCLowThresholdPercent: [1]\n",
       "config.yaml:3: imageGCLowThresholdPercent: a list is not allowed: a single value"},
      {"evictionHard: 5%\n", "config.yaml:3: evictionHard: '5%' is not allowed: a map of signals"},
      {"evictionHard:\n  imagefs.available: [5]\n",
       "config.yaml:4: evictionHard.imagefs.available: a list is not allowed: a single value"},
      {"evictionHard:\n  imagefs.available: 101%\n",
       "config.yaml:4: imagefs.available: '101%' is not allowed: a percentage such as 15% or a "
       "size such as 10Gi"},
      {"evictionHard:\n  imagefs.available: -1Gi\n",
       "config.yaml:4: imagefs.available: '-1Gi' is not allowed: a percentage such as 15% or a "
       "size such as 10Gi"},
      {"evictionHard:\n  imagefs.available: nan%\n",
       "config.yaml:4: imagefs.available: 'nan%' is not allowed: a percentage such as 15% or a "
       "size such as 10Gi"},
      {"kind: x\n", "config.yaml:3: duplicate key 'kind': it stands on line 2 already"},
  };
  for (const auto& [body, message] : cases) {
    const auto facts = Merge(body);
    ASSERT_FALSE(facts.ok()) << body;
    EXPECT_EQ(facts.error().message, message);
  }
  EXPECT_EQ(Merge("", {{"a.conf", "- x\n"}}).error().message,
            "a.conf:1: a list is not allowed: a map of keys and values");
  EXPECT_EQ(Merge("", {}, {"--image-gc-high-threshold=x"}).error().message,
            "--image-gc-high-threshold: imageGCHighThresholdPercent: 'x' is not allowed: a whole "
            "number 0-100");
}

TEST(KubeletFlags, AreReadInBothSpellingsAndTheLastCounts) {
  const auto flags = ParseKubeletFlags(std::vector<std::string>{
      "/usr/bin/kubelet", "--config=/a.yaml", "--config", "/b.yaml", "--config_dir=/etc/d", "-v",
      "--image-service-endpoint=", "--unknown", "--eviction-hard=a<1%",
      "--eviction-hard=b<2%,junk,"});
  EXPECT_EQ(flags.config_path, "/b.yaml");
  EXPECT_EQ(flags.config_dir, "/etc/d");
  EXPECT_EQ(flags.values.at("imageServiceEndpoint").text, "");
  ASSERT_TRUE(flags.eviction_hard.has_value());
  ASSERT_EQ(flags.eviction_hard->size(), 2U);
  EXPECT_EQ(flags.eviction_hard->at("a").text, "1%");
  EXPECT_EQ(flags.eviction_hard->at("b").text, "2%");
}

TEST(KubeletFlags, SayWhatTheNodeIsCalled) {
  const KubeletFlags flags = ParseKubeletFlags(std::vector<std::string>{"--hostname-override=w7"});
  EXPECT_EQ(MergeKubelet(flags, {}, {})->node_name, "w7");
}

TEST(KubeletFlags, WithoutAValueOrAfterTheEndOfFlagsSayNothing) {
  EXPECT_EQ(ParseKubeletFlags(std::vector<std::string>{"--config"}).config_path, "");
  EXPECT_EQ(ParseKubeletFlags(std::vector<std::string>{"--", "--config=/a"}).config_path, "");
  const auto flags = ParseKubeletFlags(std::vector<std::string>{"--eviction-hard="});
  ASSERT_TRUE(flags.eviction_hard.has_value());
  EXPECT_TRUE(flags.eviction_hard->empty());
}

TEST(KubeletConfig, KnowsWhatOfItsDisksTheKubeletEvictsPodsFor) {
  const auto facts = Merge(R"(evictionHard:
  imagefs.available: 8%
  nodefs.inodesFree: 0%
  memory.available: 100Mi
evictionSoft:
  imagefs.available: 12%
  nodefs.available: 10Gi
evictionSoftGracePeriod:
  imagefs.available: 2m
)");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  const auto& evictions = facts->thresholds.evictions;
  ASSERT_EQ(evictions.size(), 2U) << "off, not about disks and without a grace period are none";
  EXPECT_EQ(evictions[0].value.percent, 8);
  EXPECT_EQ(evictions[0].grace, base::Duration{});
  EXPECT_EQ(evictions[1].value.percent, 12);
  EXPECT_EQ(evictions[1].grace, std::chrono::minutes(2));
}

TEST(KubeletConfig, WithoutSettingsItEvictsForBytesAndInodesOfBothFilesystems) {
  const auto facts = MergeKubelet({}, {}, {});
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->thresholds.evictions.size(), 4U);
}

}  // namespace
}  // namespace ebb::config
