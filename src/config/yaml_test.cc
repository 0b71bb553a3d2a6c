#include "config/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto root = ReadYaml(text, "f.yaml");
  return root.ok() ? "accepted" : root.error().message;
}

TEST(Yaml, ReadsScalarsMapsAndListsWithTheirLines) {
  const auto root = ReadYaml("# head\na: 1\nb:\n  - x\n  - {c: y}\n", "f.yaml");
  ASSERT_TRUE(root.ok()) << root.error().message;
  ASSERT_EQ(root->kind, YamlNode::Kind::kMap);
  ASSERT_EQ(root->entries.size(), 2U);
  EXPECT_EQ(root->entries[0].line, 2);
  EXPECT_EQ(Find(*root, "a")->text, "1");
  const YamlNode* const list = Find(*root, "b");
  ASSERT_EQ(list->kind, YamlNode::Kind::kSequence);
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(list->items[0].line, 4);
  EXPECT_EQ(Find(list->items[1], "c")->text, "y");
  EXPECT_EQ(Find(*root, "z"), nullptr);
}

TEST(Yaml, KeepsScalarsAsTheTextThatWasWritten) {
  const auto root = ReadYaml("a: 012\nb: yes\nc: 1e3\nd: \"85\"\ne: '85'\nf: 0x10\n", "f.yaml");
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(Find(*root, "a")->text, "012");
  EXPECT_EQ(Find(*root, "b")->text, "yes");
  EXPECT_EQ(Find(*root, "c")->text, "1e3");
  EXPECT_EQ(Find(*root, "f")->text, "0x10");
  EXPECT_FALSE(Find(*root, "a")->quoted);
  EXPECT_TRUE(Find(*root, "d")->quoted);
  EXPECT_TRUE(Find(*root, "e")->quoted);
}

TEST(Yaml, TellsNothingFromAnEmptyText) {
  const auto root = ReadYaml("a:\nb: null\nc: ~\nd: ''\n", "f.yaml");
  ASSERT_TRUE(root.ok());
  EXPECT_TRUE(Find(*root, "a")->IsNull());
  EXPECT_TRUE(Find(*root, "b")->IsNull());
  EXPECT_TRUE(Find(*root, "c")->IsNull());
  EXPECT_FALSE(Find(*root, "d")->IsNull());
}

TEST(Yaml, ReadsJson) {
  const auto root =
      ReadYaml("{\n\t\"a\": {\"b\":[1,\"x\\/y\",true]},\r\n\t\"c\":\"\\u00e9\"\n}", "f");
  ASSERT_TRUE(root.ok()) << root.error().message;
  const YamlNode* const list = Find(*Find(*root, "a"), "b");
  ASSERT_EQ(list->items.size(), 3U);
  EXPECT_EQ(list->items[1].text, "x/y");
  EXPECT_EQ(Find(*root, "c")->text, "\u00e9");
}

TEST(Yaml, AnEmptyTextIsNullAndAByteOrderMarkIsNothing) {
  EXPECT_TRUE(ReadYaml("", "f")->IsNull());
  EXPECT_TRUE(ReadYaml("# only a comment\n", "f")->IsNull());
  EXPECT_TRUE(ReadYaml("---\n", "f")->IsNull());
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(ErrorOf(mark + "a: ! b\n"), "f.yaml:1: tags (!name) are not allowed");
  EXPECT_EQ(Find(*ReadYaml(mark + "a: b\n", "f"), "a")->text, "b");
}

TEST(Yaml, RefusesWhatWouldSurprise) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3: duplicate key 'a': it stands on line 1 already"},
      {"a:\n  b: 1\n  b: 2\n", "f.yaml:3: duplicate key 'b': it stands on line 2 already"},
      {"a: 1\n\"a\": 2\n", "f.yaml:2: duplicate key 'a': it stands on line 1 already"},
      {"a: &x 1\n", "f.yaml:1: anchors (&name) are not allowed"},
      {"a: &x\n  b: 1\n", "f.yaml:1: anchors (&name) are not allowed"},
      {"a: &x [1]\nb: *x\n", "f.yaml:1: anchors (&name) are not allowed"},
      {"a: !!str 1\n", "f.yaml:1: tags (!name) are not allowed"},
      {"a: ! 1\n", "f.yaml:1: tags (!name) are not allowed"},
      {"b: 1\n\na: !x [1]\n", "f.yaml:3: tags (!name) are not allowed"},
      {"a: 1\n---\nb: 1\n", "f.yaml:2: only one document is allowed"},
      {"? [a]\n: 1\n", "f.yaml:1: a key must be plain text"},
      {"? {a: b}\n: 1\n", "f.yaml:1: a key must be plain text"},
      {": 1\n", "f.yaml:1: a key must not be empty"},
      {"a: [1, 2\n", "f.yaml:2: not valid YAML: end of sequence flow not found"},
      {"a: b: c\n", "f.yaml:1: not valid YAML: illegal map value"},
      {"a: 1\nb: \"\\q\"\n", "f.yaml:2: not valid YAML: unknown escape character: q"},
      {"a: \"\\0\"\n", "f.yaml:1: control characters are not allowed"},
      {std::string("a: b\nc: \0", 9),
       "f.yaml:2: control characters and bytes that are not UTF-8 are not allowed"},
      {"a: \xC3\x28\n",
       "f.yaml:1: control characters and bytes that are not UTF-8 are not allowed"},
      {"a: \xC0\xAF\n",
       "f.yaml:1: control characters and bytes that are not UTF-8 are not allowed"},
      {"\xFF\xFE"
       "a",
       "f.yaml:1: control characters and bytes that are not UTF-8 are not allowed"},
      {"a: \xED\xA0\x80\n",
       "f.yaml:1: control characters and bytes that are not UTF-8 are not allowed"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(ErrorOf(text), message) << text;
}

TEST(Yaml, AllowsThirtyTwoLevelsAndNoMore) {
  EXPECT_EQ(ErrorOf(std::string(32, '[') + std::string(32, ']')), "accepted");
  EXPECT_EQ(ErrorOf(std::string(33, '[') + std::string(33, ']')),
            "f.yaml:1: nested deeper than 32 levels");
  EXPECT_NE(ErrorOf(std::string(100000, '[')), "accepted");
  EXPECT_NE(ErrorOf(std::string(100000, '{')), "accepted");
}

TEST(Yaml, AllowsOneMebibyteAndNoMore) {
  const std::string head = "a: b # ";
  EXPECT_EQ(ErrorOf(head + std::string((1U << 20U) - head.size(), 'x')), "accepted");
  EXPECT_EQ(ErrorOf(head + std::string((1U << 20U) - head.size() + 1, 'x')),
            "f.yaml:1: the file is larger than 1 MiB");
}

// Pieces of the grammar meet more of the parser's states than plain noise does.
std::string RandomText(std::mt19937& random) {
  static const std::vector<std::string> pieces = {
      "a", "b: ", "- ", "? ", ": ",  "\n", "\n  ", "\n\t", "{",   "}",   "[",  "]",
      ",", "#",   "'",  "\"", "\\x", "|",  ">",    "&a",   "*a",  "!",   "!!", "---\n",
      "%", "...", "~",  "@",  "`",   "\r", "é",    "null", "012", "\xC3"};
  std::string text;
  const auto length = random() % 40;
  for (std::size_t i = 0; i < length; ++i) {
    if (random() % 8 == 0) {
      text += static_cast<char>(random() % 256);
    } else {
      text += pieces[random() % pieces.size()];
    }
  }
  return text;
}

TEST(Yaml, SurvivesRandomBytes) {
  std::mt19937 random(20261130);
  int accepted = 0;
  for (int round = 0; round < 5000; ++round) {
    const auto root = ReadYaml(RandomText(random), "f.yaml");
    if (root.ok()) {
      ++accepted;
    } else {
      EXPECT_TRUE(root.error().message.starts_with("f.yaml:")) << root.error().message;
      EXPECT_EQ(root.error().code, base::ErrorCode::kUsage);
    }
  }
  EXPECT_GT(accepted, 50) << "the texts are too wild to reach the tree";
}

TEST(Yaml, AnErrorAboutAStrangeKeyIsOneShortLine) {
  const std::string key = "? \"a\\nb" + std::string(500, 'c') + "\"\n: 1\n";
  const auto root = ReadYaml(key + key, "f");
  ASSERT_FALSE(root.ok());
  EXPECT_EQ(root.error().message.find('\n'), std::string::npos);
  EXPECT_LT(root.error().message.size(), 200U);
}

}  // namespace
}  // namespace ebb::config
