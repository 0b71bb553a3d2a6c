#include "kube/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/json/serialize.hpp>

namespace ebb::kube {
namespace {

using ::testing::HasSubstr;

constexpr auto kKeys = std::to_array<std::string_view>({"a", "b", "list"});

std::string Read(std::string_view text) {
  const auto value = ReadJson(text, kKeys);
  return value.ok() ? boost::json::serialize(*value) : value.error().message;
}

std::string Yaml(std::string_view text) {
  const auto value = ReadYaml(text);
  return value.ok() ? boost::json::serialize(*value) : value.error().message;
}

TEST(KubeJson, KeepsOnlyWhatStandsBelowWantedKeys) {
  EXPECT_EQ(Read(R"({"a":1,"x":{"a":[1,{"b":2}]},"b":{"y":[],"a":"t"},"z":null})"),
            R"({"a":1,"b":{"a":"t"}})");
  EXPECT_EQ(Read(R"({"list":[{"x":1},{"a":[]},[[{"b":true,"x":false}]],-1,1.5,null,"s"],"x":"y"})"),
            R"({"list":[{},{"a":[]},[[{"b":true}]],-1,1.5E0,null,"s"]})");
  EXPECT_EQ(Read(R"({"x":"a","a":18446744073709551615})"), R"({"a":18446744073709551615})");
  EXPECT_EQ(Read("[]"), "[]");
  EXPECT_EQ(Read(" null \n"), "null");
}

TEST(KubeJson, ReadsKeysAndTextsWithEscapesOfAnyLength) {
  const std::string half(5000, 'p');
  EXPECT_EQ(Read("{\"\\u0061\":\"" + half + "\\n" + half + "\",\"" + half + "\\u0062\":1}"),
            "{\"a\":\"" + half + "\\n" + half + "\"}");
}

TEST(KubeJson, RefusesWhatIsNotOneWholeDocument) {
  for (const char* text : {"", "{", "[1,", "{\"a\":}", "{'a':1}", "{\"a\":1}}", "{} {}", "nul",
                           "\"\xff\"", "{\"x\":\"\xff\"}", "{\"a\":1,}", "// comment\n1"}) {
    EXPECT_THAT(Read(text), HasSubstr("it is no JSON (")) << text;
  }
}

TEST(KubeJson, RefusesWhatIsNestedDeeply) {
  EXPECT_EQ(Read(std::string(60, '[') + std::string(60, ']')).size(), 120U);
  for (const char* open : {"[", "{\"a\":", "{\"x\":"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_THAT(Read(text), HasSubstr("it is no JSON (")) << open;
  }
}

TEST(KubeYaml, GivesEveryScalarAsText) {
  EXPECT_EQ(Yaml("a: 012\nb: [yes, 1.5, ~, 'x']\nc: {d: }\n"),
            R"({"a":"012","b":["yes","1.5",null,"x"],"c":{"d":null}})");
  EXPECT_EQ(Yaml("a: &x [1]\nb: *x\n---\nignored: 1\n"), R"({"a":["1"],"b":["1"]})");
  EXPECT_EQ(Yaml(""), "null");
}

TEST(KubeYaml, RefusesBombsAndWhatItWouldMisread) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string own = "a" + std::to_string(i);
    const std::string before = "*a" + std::to_string(i - 1);
    bomb.append(own).append(": &").append(own).append(" [").append(before);
    for (int n = 0; n < 4; ++n) bomb.append(", ").append(before);
    bomb.append("]\n");
  }
  EXPECT_THAT(Yaml(bomb), HasSubstr("more than 100000 values"));
  EXPECT_THAT(Yaml(std::string(100, '[') + std::string(100, ']')), HasSubstr("64 levels"));
  for (const char* open : {"[", "{a: ", "- "}) {
    std::string text;
    while (text.size() < 200'000) text += open;
    EXPECT_THAT(Yaml(text), HasSubstr("it is no YAML")) << open;
  }
  EXPECT_THAT(Yaml("a: &a\n  b: *a\n"), HasSubstr("it is no YAML"));
  EXPECT_THAT(Yaml("<<: {a: 1}\n"), HasSubstr("merge keys"));
  EXPECT_THAT(Yaml("[a]: 1\n"), HasSubstr("a key is no text"));
  EXPECT_THAT(Yaml("a: 1\na: 2\n"), HasSubstr("the key a stands there twice"));
  EXPECT_THAT(Yaml("a: [1\n"), HasSubstr("it is no YAML"));
  EXPECT_THAT(Yaml("a: *nowhere\n"), HasSubstr("it is no YAML"));
  EXPECT_THAT(Yaml(std::string((std::size_t{1} << 20U) + 1, ' ')), HasSubstr("larger than 1 MiB"));
}

}  // namespace
}  // namespace ebb::kube
