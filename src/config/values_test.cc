#include "config/values.h"

#include <gtest/gtest.h>

#include <string>

namespace ebb::config {
namespace {

TEST(Values, AWholeNumberIsDecimalDigitsAndNothingElse) {
  EXPECT_EQ(ReadInt(YamlNode{.text = "0"}, 0, 9), 0);
  EXPECT_EQ(ReadInt(YamlNode{.text = "9"}, 0, 9), 9);
  for (const char* text : {"", "-0", "+1", "01", "1 ", "1.0", "0x1", "1_0", "10", "auto"}) {
    EXPECT_EQ(ReadInt(YamlNode{.text = text}, 0, 9), std::nullopt) << text;
  }
  EXPECT_EQ(ReadInt(YamlNode{.text = "5", .quoted = true}, 0, 9), std::nullopt);
  EXPECT_EQ(ReadInt(YamlNode{.kind = YamlNode::Kind::kMap}, 0, 9), std::nullopt);
}

TEST(Values, DurationsLoseTheUnitsThatAreZero) {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  EXPECT_EQ(ShortDuration(hours(24)), "24h");
  EXPECT_EQ(ShortDuration(minutes(90)), "1h30m");
  EXPECT_EQ(ShortDuration(minutes(2)), "2m");
  EXPECT_EQ(ShortDuration(minutes(10) + seconds(10)), "10m10s");
  EXPECT_EQ(ShortDuration(hours(1) + seconds(30)), "1h0m30s");
  EXPECT_EQ(ShortDuration({}), "0s");
}

TEST(Values, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(Shortened(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(Shortened(std::string(59, 'a') + "éé"), std::string(59, 'a') + "...");
}

TEST(Values, AMessageStaysOnOneLine) {
  EXPECT_EQ(Shortened("a\nb"), "a b");
  EXPECT_EQ(Shown(YamlNode{.text = "a\nb", .quoted = true}), "'\"a b\"'");
}

TEST(Values, QuotedTextIsReadBackUnchanged) {
  const std::string text = "a \"b\" \\c\td\ne\r é # : -";
  const auto node = ReadYaml(Quote(text), "f");
  ASSERT_TRUE(node.ok()) << node.error().message;
  EXPECT_EQ(node->text, text);
}

}  // namespace
}  // namespace ebb::config
