// The keys about containers, sandboxes and logs that were left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/node_config.h"

namespace ebb::config {
namespace {

using ::testing::HasSubstr;

base::Result<NodeConfig> Parse(const std::string& body) {
  return ParseNodeConfig("apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n" + body, "file");
}

TEST(DeadKeys, ByDefaultAllIsReportedAndNothingRemoved) {
  const auto config = Parse("");
  ASSERT_TRUE(config.ok());
  EXPECT_FALSE(config->policy.dead.remove);
  EXPECT_EQ(config->policy.dead.min_age, std::chrono::hours(1));
}

TEST(DeadKeys, AreReadAndWrittenAsTheKubeletHasThem) {
  const std::string body =
      "deadContainers: remove\nminimumContainerTTLDuration: 0s\n"
      "maximumDeadContainersPerContainer: -1\nmaximumDeadContainers: 0\n";
  const auto config = Parse(body);
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_TRUE(config->policy.dead.remove);
  EXPECT_EQ(config->policy.dead.min_age, base::Duration::zero());
  EXPECT_EQ(config->policy.dead.max_per_container, std::nullopt);
  EXPECT_EQ(config->policy.dead.max_in_all, 0U);
  const std::string written = RenderNodeConfig(*config);
  EXPECT_THAT(written, HasSubstr("deadContainers: remove\n"));
  EXPECT_THAT(written, HasSubstr("maximumDeadContainersPerContainer: -1\n"));
  EXPECT_THAT(written, HasSubstr("maximumDeadContainers: 0\n"));
}

TEST(DeadKeys, TakeNothingElse) {
  for (const char* wrong :
       {"deadContainers: yes", "deadContainers: Remove", "deadContainers: [remove]",
        "maximumDeadContainers: -2", "maximumDeadContainers: none", "maximumDeadContainers: [-1]",
        "minimumContainerTTLDuration: -1s"}) {
    EXPECT_FALSE(Parse(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace ebb::config
