#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "config/node_config.h"

namespace ebb::config {
namespace {

TEST(UnusedFor, RulesNameAPatternAndAnAge) {
  const std::string head = "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n";
  const auto config = ParseNodeConfig(
      head + "unusedFor:\n  - {pattern: registry.example/ci/*, age: 24h}\n", "c.yaml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  ASSERT_EQ(config->policy.unused_for.size(), 1U);
  EXPECT_EQ(config->policy.unused_for[0].pattern.text(), "registry.example/ci/*");
  EXPECT_EQ(config->policy.unused_for[0].age, std::chrono::hours(24));
  for (const std::string wrong :
       {"[registry.example]", "[{pattern: a}]", "[{age: 1h}]", "[{pattern: a, age: x}]",
        "[{pattern: a, age: 1h, days: 2}]", "{pattern: a, age: 1h}", "x"}) {
    const std::string text = std::string(head).append("unusedFor: ").append(wrong);
    EXPECT_FALSE(ParseNodeConfig(text, "c.yaml").ok()) << wrong;
  }
}

}  // namespace
}  // namespace ebb::config
