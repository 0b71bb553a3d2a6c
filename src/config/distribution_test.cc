#include "config/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Args = std::vector<std::string>;

TEST(Distribution, KubeletSettingsOfTheFileReachTheMarks) {
  const std::vector<KubeletFile> files = {
      {.name = "config.yaml",
       .text =
           "write-kubeconfig-mode: '0644'\nkubelet-arg:\n  - eviction-hard=imagefs.available<7%\n"
           "  - \"image-gc-high-threshold=75\"\n"}};
  const auto settings = MergeDistribution({}, files);
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  const auto facts = MergeKubelet(ParseKubeletFlags(settings->kubelet_args), {}, {});
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts->thresholds.image_gc_high, base::Percent{75});
  EXPECT_EQ(facts->thresholds.hard_imagefs, image::Quantity(base::Percent{7}));
  EXPECT_EQ(facts->thresholds.source, "the kubelet's flags");
}

TEST(Distribution, ALaterFileReplacesAKeyUnlessItsNameEndsWithPlus) {
  const KubeletFile main{.name = "config.yaml",
                         .text = "kubelet-arg: [a=1]\ndata-dir: /one\nnode-name: seven\n"};
  const KubeletFile adds{.name = "10.yaml", .text = "kubelet-arg+: b=2\n"};
  const KubeletFile replaces{.name = "20.yaml", .text = "kubelet-arg: --c=3\ndata-dir: /two\n"};
  EXPECT_THAT(MergeDistribution({}, std::vector{main, adds})->kubelet_args,
              ElementsAre("--a=1", "--b=2"));
  const auto settings = MergeDistribution({}, std::vector{main, adds, replaces});
  EXPECT_THAT(settings->kubelet_args, ElementsAre("--c=3"));
  EXPECT_EQ(settings->data_dir, "/two");
  EXPECT_EQ(settings->node_name, "seven");
}

TEST(Distribution, FlagsAreAddedToTheArgumentsAndReplaceTheDirectory) {
  const auto flags =
      ParseDistributionFlags(Args{"/usr/local/bin/k3s", "server", "--kubelet-arg=b=2",
                                  "--kubelet-arg", "--c=3", "-d", "/flag", "-c", "/etc/mine.yaml"});
  EXPECT_EQ(flags.config_path, "/etc/mine.yaml");
  const std::vector<KubeletFile> files = {
      {.name = "config.yaml", .text = "kubelet-arg: a=1\ndata-dir: /file\n"}};
  const auto settings = MergeDistribution(flags, files);
  EXPECT_THAT(settings->kubelet_args, ElementsAre("--a=1", "--b=2", "--c=3"));
  EXPECT_EQ(settings->data_dir, "/flag");
}

TEST(Distribution, AFileWithoutAnythingForTheKubeletSaysNothing) {
  for (const char* text :
       {"", "node-label: [a=b]\n", "kubelet-arg:\n", "kubelet-arg: []\n", "[]"}) {
    const auto settings =
        MergeDistribution({}, std::vector<KubeletFile>{{.name = "config.yaml", .text = text}});
    ASSERT_TRUE(settings.ok()) << text;
    EXPECT_THAT(settings->kubelet_args, IsEmpty()) << text;
  }
}

TEST(Distribution, AWrongTypeIsNamedByFileAndLine) {
  for (const char* text : {"a: b\nkubelet-arg: {c: d}\n", "a: b\nkubelet-arg: [[c]]\n",
                           "a: b\ndata-dir: [c]\n", "a: b\nc: [\n"}) {
    const auto settings =
        MergeDistribution({}, std::vector<KubeletFile>{{.name = "config.yaml", .text = text}});
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_THAT(settings.error().message, HasSubstr("config.yaml:"));
  }
}

}  // namespace
}  // namespace ebb::config
