#include "config/crictl_config.h"

#include <gtest/gtest.h>

namespace ebb::config {
namespace {

TEST(CrictlConfig, SaysWhereTheRuntimeIsAndTheRestIsIgnored) {
  const auto config = ParseCrictlConfig(
      "runtime-endpoint: unix:///run/a.sock\nimage-endpoint: \"unix:///run/b.sock\"\n"
      "timeout: 10\ndebug: false\n",
      "/etc/crictl.yaml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->runtime_endpoint, "unix:///run/a.sock");
  EXPECT_EQ(config->image_endpoint, "unix:///run/b.sock");
}

TEST(CrictlConfig, MaySayNothing) {
  for (const char* text : {"", "timeout: 2\n", "runtime-endpoint: \"\"\n", "runtime-endpoint:\n"}) {
    const auto config = ParseCrictlConfig(text, "f");
    ASSERT_TRUE(config.ok()) << text;
    EXPECT_EQ(config->runtime_endpoint, "");
  }
}

TEST(CrictlConfig, ABrokenOneIsAnErrorThatNamesFileAndLine) {
  EXPECT_EQ(ParseCrictlConfig("a: 1\nruntime-endpoint: [x]\n", "f").error().message,
            "f:2: runtime-endpoint: a list is not allowed: text");
  EXPECT_EQ(ParseCrictlConfig("image-endpoint: {}\n", "f").error().message,
            "f:1: image-endpoint: a map is not allowed: text");
  EXPECT_FALSE(ParseCrictlConfig("a: [\n", "f").ok());
}

}  // namespace
}  // namespace ebb::config
