#include "report/yaml.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "report/json.h"
#include "report/status.h"
#include "report/world.h"

namespace ebb::report {
namespace {

// A scalar that a reader may type freely ("?") must not look like anything but a string.
void ExpectString(const std::string& wanted, const YAML::Node& node) {
  EXPECT_EQ(node.Scalar(), wanted);
  if (node.Tag() == "!") return;  // quoted: it is a string
  bool truth = false;
  double number = 0;
  EXPECT_FALSE(node.IsNull()) << wanted;
  EXPECT_FALSE(YAML::convert<bool>::decode(node, truth)) << wanted;
  EXPECT_FALSE(YAML::convert<double>::decode(node, number)) << wanted;
}

void ExpectSame(const Json& json, const YAML::Node& node) {
  if (json.is_object()) {
    ASSERT_TRUE(node.IsMap());
    ASSERT_EQ(node.size(), json.as_object().size());
    for (const auto& [key, value] : json.as_object()) ExpectSame(value, node[std::string(key)]);
  } else if (json.is_array()) {
    ASSERT_TRUE(node.IsSequence());
    ASSERT_EQ(node.size(), json.as_array().size());
    for (std::size_t i = 0; i < node.size(); ++i) ExpectSame(json.as_array()[i], node[i]);
  } else if (json.is_string()) {
    ExpectString(std::string(json.as_string()), node);
  } else if (json.is_null()) {
    EXPECT_TRUE(node.IsNull());
  } else if (json.is_bool()) {
    EXPECT_EQ(node.as<bool>(), json.as_bool());
  } else {
    EXPECT_EQ(node.as<std::int64_t>(), json.to_number<std::int64_t>());
  }
}

TEST(Yaml, QuotesEveryStringThatCouldBeTakenForSomethingElse) {
  JsonArray strings;
  for (const char* text : {"",
                           "true",
                           "False",
                           "yes",
                           "NO",
                           "on",
                           "y",
                           "null",
                           "Null",
                           "~",
                           "12",
                           "0x1f",
                           "1e5",
                           "-3",
                           ".5",
                           ".inf",
                           ".nan",
                           "1:30",
                           "a: b",
                           "a:",
                           "a #b",
                           "- a",
                           "? a",
                           "[a]",
                           "{a}",
                           "&a",
                           "*a",
                           "!a",
                           "|",
                           ">",
                           "%a",
                           "@a",
                           "`a",
                           "\"q\"",
                           "'q'",
                           "a\nb",
                           "a\tb",
                           " a",
                           "a ",
                           "=",
                           "a,b",
                           "näh",
                           "…",
                           "\x01",
                           "a\\b",
                           "2026-11-30",
                           "2026-11-30T03:04:05Z",
                           "sha256:1",
                           "---",
                           "...",
                           "a'b",
                           "nginx:1.25",
                           "/var/lib",
                           "Infinity",
                           "NaN"}) {
    strings.emplace_back(text);
  }
  const Json document = {{"strings", strings}};
  ExpectSame(document, YAML::Load(WriteYaml(document)));
}

TEST(Yaml, SaysTheSameAsJson) {
  const Json document = {
      {"number", 9007199254740993},
      {"none", nullptr},
      {"truth", false},
      {"empty", JsonArray{}},
      {"nothing", JsonObject{}},
      {"true", {{"deep", {{{"a", 1}, {"b", {2, 3}}}, JsonArray{1, JsonArray{2}}, JsonObject{}}}}}};
  ExpectSame(document, YAML::Load(WriteYaml(document)));
  EXPECT_EQ(WriteYaml(document).substr(0, 23), "number: 900719925474099");
  EXPECT_EQ(boost::json::parse(Write(document, Format::kJson)), document);
}

TEST(Yaml, IsTheSameStatusAsJson) {
  const World world = MakeWorld();
  const auto render = [&](Format format) {
    return RenderStatus(world.seen, world.policy, world.Plan(), {.format = format});
  };
  ExpectSame(boost::json::parse(render(Format::kJson)), YAML::Load(render(Format::kYaml)));
}

TEST(Yaml, WritesALoneValue) {
  EXPECT_EQ(WriteYaml(Json(5)), "5\n");
  EXPECT_EQ(WriteYaml(JsonArray{}), "[]\n");
}

}  // namespace
}  // namespace ebb::report
