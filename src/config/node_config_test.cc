#include "config/node_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

constexpr std::string_view kHead = "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n";

base::Result<NodeConfig> Parse(std::string_view body) {
  return ParseNodeConfig(std::string(kHead).append(body), "/etc/ebb/config.yaml");
}

std::string ErrorOf(std::string_view body) {
  const auto config = Parse(body);
  if (config.ok()) return "accepted";
  EXPECT_EQ(config.error().code, base::ErrorCode::kUsage);
  return config.error().message;
}

TEST(NodeConfig, WithoutKeysHasTheDefaults) {
  const auto config = Parse("");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(RenderNodeConfig(*config), RenderNodeConfig(NodeConfig{}));
  EXPECT_EQ(config->mode, Mode::kObserve);
}

TEST(NodeConfig, ReadsEveryKey) {
  const auto config = Parse(R"(mode: enforce
runtimeEndpoint: /run/a.sock
imageServiceEndpoint: unix:///run/b.sock
imageGCHighThresholdPercent: 75
imageGCLowThresholdPercent: 60
imageMinimumGCAge: 30s
imageMinimumUnusedAge: 1h
imageMaximumGCAge: 2w
longIdle: 3d
protect:
  - docker.io/library/busybox
  - pattern: /^quay\.io\//
sandboxImages: [registry.k8s.io/pause:3.10]
maxImagesPerRun: 1000
maxPercentPerRun: 100
maxBytesPerRun: 20Gi
removalsInFlight: 64
removalTimeout: 1h
stateDirectory: /data/ebb
)");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->mode, Mode::kEnforce);
  EXPECT_EQ(config->runtime_endpoint, "unix:///run/a.sock");
  EXPECT_EQ(config->image_endpoint, "unix:///run/b.sock");
  EXPECT_EQ(config->policy.marks.high, base::Percent{75});
  EXPECT_EQ(config->policy.marks.low, base::Percent{60});
  EXPECT_EQ(config->policy.min_seen_age, seconds(30));
  EXPECT_EQ(config->policy.min_idle_age, hours(1));
  EXPECT_EQ(config->policy.max_idle_age, hours(14 * 24));
  EXPECT_EQ(config->policy.long_idle, hours(72));
  ASSERT_EQ(config->policy.protect.size(), 2U);
  EXPECT_EQ(config->policy.protect[0].text(), "docker.io/library/busybox");
  EXPECT_EQ(config->policy.protect[1].text(), "/^quay\\.io\\//");
  EXPECT_THAT(config->sandbox_images, ElementsAre("registry.k8s.io/pause:3.10"));
  EXPECT_EQ(config->policy.radius.max_images, 1000U);
  EXPECT_EQ(config->policy.radius.max_percent, base::Percent{100});
  EXPECT_EQ(config->policy.radius.max_bytes, base::Bytes{20LL << 30});
  EXPECT_EQ(config->removals_in_flight, 64);
  EXPECT_EQ(config->removal_timeout, hours(1));
  EXPECT_EQ(config->state_directory, "/data/ebb");
}

TEST(NodeConfig, AHighMarkAloneSetsTheLowMarkTwoPointsBelow) {
  EXPECT_EQ(Parse("imageGCHighThresholdPercent: 70\n")->policy.marks.low, base::Percent{68});
  EXPECT_EQ(Parse("imageGCHighThresholdPercent: 1\n")->policy.marks.low, base::Percent{0});
  EXPECT_EQ(Parse("imageGCLowThresholdPercent: 70\n")->policy.marks.high, std::nullopt);
  EXPECT_EQ(Parse("imageGCHighThresholdPercent: auto\n")->policy.marks.low, std::nullopt);
}

TEST(NodeConfig, RefusesABadValueWithFileLineKeyAndWhatIsAllowed) {
  const std::string mark = " is not allowed: a whole number 0-100 or auto";
  const std::string age = " is not allowed: a duration from 0s to 87600h such as 90s, 10m or 4d";
  const std::string socket =
      " is not allowed: a socket such as unix:///run/containerd/containerd.sock";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"imageGCHighThresholdPercent: abc", "imageGCHighThresholdPercent: 'abc'" + mark},
      {"imageGCHighThresholdPercent: 101", "imageGCHighThresholdPercent: '101'" + mark},
      {"imageGCHighThresholdPercent: -1", "imageGCHighThresholdPercent: '-1'" + mark},
      {"imageGCHighThresholdPercent: 085", "imageGCHighThresholdPercent: '085'" + mark},
      {"imageGCHighThresholdPercent: 80.5", "imageGCHighThresholdPercent: '80.5'" + mark},
      {"imageGCHighThresholdPercent: 0x50", "imageGCHighThresholdPercent: '0x50'" + mark},
      {"imageGCHighThresholdPercent: \"85\"", "imageGCHighThresholdPercent: '\"85\"'" + mark},
      {"imageGCHighThresholdPercent: 85%", "imageGCHighThresholdPercent: '85%'" + mark},
      {"imageGCHighThresholdPercent:", "imageGCHighThresholdPercent: ''" + mark},
      {"imageGCHighThresholdPercent: [85]", "imageGCHighThresholdPercent: a list" + mark},
      {"imageGCLowThresholdPercent: {a: b}", "imageGCLowThresholdPercent: a map" + mark},
      {"imageGCLowThresholdPercent: 99999999999",
       "imageGCLowThresholdPercent: '99999999999'" + mark},
      {"imageMinimumGCAge: 5", "imageMinimumGCAge: '5'" + age},
      {"imageMinimumUnusedAge: -5m", "imageMinimumUnusedAge: '-5m'" + age},
      {"imageMaximumGCAge: 11y", "imageMaximumGCAge: '11y'" + age},
      {"longIdle: 87601h", "longIdle: '87601h'" + age},
      {"longIdle: [1h]", "longIdle: a list" + age},
      {"mode: Enforce", "mode: 'Enforce' is not allowed: observe or enforce"},
      {"mode: true", "mode: 'true' is not allowed: observe or enforce"},
      {"runtimeEndpoint: tcp://1.2.3.4:5", "runtimeEndpoint: 'tcp://1.2.3.4:5'" + socket},
      {"runtimeEndpoint: run/x.sock", "runtimeEndpoint: 'run/x.sock'" + socket},
      {"imageServiceEndpoint:", "imageServiceEndpoint: ''" + socket},
      {"maxImagesPerRun: 0", "maxImagesPerRun: '0' is not allowed: a whole number 1-1000000"},
      {"maxPercentPerRun: 0", "maxPercentPerRun: '0' is not allowed: a whole number 1-100"},
      {"maxBytesPerRun: 0",
       "maxBytesPerRun: '0' is not allowed: a size such as 20Gi or 500Mi, or none"},
      {"maxBytesPerRun: 5Qi",
       "maxBytesPerRun: '5Qi' is not allowed: a size such as 20Gi or 500Mi, or none"},
      {"removalsInFlight: 65", "removalsInFlight: '65' is not allowed: a whole number 1-64"},
      {"removalTimeout: 4m", "removalTimeout: '4m' is not allowed: a duration from 5m to 24h"},
      {"removalTimeout: 25h", "removalTimeout: '25h' is not allowed: a duration from 5m to 24h"},
      {"stateDirectory: var/lib", "stateDirectory: 'var/lib' is not allowed: an absolute path"},
      {"protect: busybox", "protect: 'busybox' is not allowed: a list of patterns, [] for none"},
      {"protect:", "protect: '' is not allowed: a list of patterns, [] for none"},
      {"protect: [[a]]", "protect[0]: a list is not allowed: a pattern or {pattern: ...}"},
      {"protect: [a, {}]", "protect[1]: a map is not allowed: a pattern or {pattern: ...}"},
      {"protect: [{patern: a}]",
       "protect[0].patern: unknown key: pattern and guard are the only ones here"},
      {"protect: [{pattern: [a]}]",
       "protect[0].pattern: a list is not allowed: a pattern or {pattern: ...}"},
      {"sandboxImages: pause",
       "sandboxImages: 'pause' is not allowed: a list of image references, [] for none"},
      {"sandboxImages: [a, b c]",
       "sandboxImages[1]: 'b c' is not allowed: an image such as registry.k8s.io/pause:3.10"},
      {"sandboxImages: [\"\"]",
       "sandboxImages[0]: '\"\"' is not allowed: an image such as registry.k8s.io/pause:3.10"},
      {"kind: x", "duplicate key 'kind': it stands on line 2 already"},
  };
  for (const auto& [line, message] : cases) {
    EXPECT_EQ(ErrorOf(line + "\n"), "/etc/ebb/config.yaml:3: " + message) << line;
  }
}

TEST(NodeConfig, APatternThatIsNoneSaysWhyAndOnWhichLine) {
  const std::string body = "protect:\n  - good\n  - pattern: a*b\n";
  EXPECT_EQ(ErrorOf(body), "/etc/ebb/config.yaml:5: protect[1].pattern: " +
                               image::Pattern::Parse("a*b").error().message);
  const std::string nested = "/" + std::string(100'000, '(') + "/";
  EXPECT_THAT(ErrorOf("protect: ['" + nested + "']\n"),
              testing::EndsWith("((...\"' is not allowed: a pattern of at most 512 bytes"));
}

TEST(NodeConfig, SuggestsTheNearestKeyForAnUnknownOne) {
  EXPECT_EQ(ErrorOf("imageGCHighTresholdPercent: 85\n"),
            "/etc/ebb/config.yaml:3: imageGCHighTresholdPercent: unknown key: did you mean "
            "imageGCHighThresholdPercent?");
  EXPECT_EQ(ErrorOf("\nprotected: []\n"),
            "/etc/ebb/config.yaml:4: protected: unknown key: did you mean protect?");
  EXPECT_EQ(ErrorOf("max_images_per_run: 1\n"),
            "/etc/ebb/config.yaml:3: max_images_per_run: unknown key: did you mean "
            "maxImagesPerRun?");
  EXPECT_EQ(ErrorOf("xyzzy: 1\n"),
            "/etc/ebb/config.yaml:3: xyzzy: unknown key: 'ebb config view' shows all of them");
}

TEST(NodeConfig, KI23MarksAreFrom0To100AndLowIsBelowHigh) {
  const std::string high = "imageGCHighThresholdPercent: ";
  const std::string low = "imageGCLowThresholdPercent: ";
  EXPECT_EQ(ErrorOf(high + "2\n" + low + "1\n"), "accepted");
  for (const char* mark : {"-1", "101"}) {
    EXPECT_NE(ErrorOf(high + mark + "\n").find("a whole number 0-100"), std::string::npos) << mark;
    EXPECT_NE(ErrorOf(low + mark + "\n").find("a whole number 0-100"), std::string::npos) << mark;
  }
  EXPECT_NE(ErrorOf(high + "1\n" + low + "2\n").find("less than"), std::string::npos);
}

TEST(NodeConfig, RefusesValuesThatContradictEachOther) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"imageGCLowThresholdPercent: 85\nimageGCHighThresholdPercent: 85\n",
       "3: imageGCLowThresholdPercent: '85' is not allowed: less than "
       "imageGCHighThresholdPercent, which is 85"},
      {"imageGCHighThresholdPercent: 80\nimageGCLowThresholdPercent: 81\n",
       "4: imageGCLowThresholdPercent: '81' is not allowed: less than "
       "imageGCHighThresholdPercent, which is 80"},
      {"imageGCHighThresholdPercent: 0\n",
       "3: imageGCHighThresholdPercent: '0' is not allowed: a whole number 1-100 or auto"},
      {"imageGCLowThresholdPercent: 82\n",
       "3: imageGCLowThresholdPercent: '82' is not allowed: less than "
       "imageGCHighThresholdPercent, which is at most 82 while it is auto"},
      {"imageMaximumGCAge: 10m\n",
       "3: imageMaximumGCAge: '10m' is not allowed: more than imageMinimumUnusedAge, which is "
       "10m, or 0s"},
      {"imageMinimumGCAge: 24h\nimageMaximumGCAge: 1h\n",
       "4: imageMaximumGCAge: '1h' is not allowed: more than imageMinimumGCAge, which is 24h, or "
       "0s"},
  };
  for (const auto& [body, message] : cases) {
    EXPECT_EQ(ErrorOf(body), "/etc/ebb/config.yaml:" + message) << body;
  }
  EXPECT_EQ(ErrorOf("imageMinimumUnusedAge: 24h\nimageMaximumGCAge: 0s\n"), "accepted");
  EXPECT_EQ(ErrorOf("imageMaximumGCAge: 10m1s\n"), "accepted");
  EXPECT_EQ(ErrorOf("imageGCLowThresholdPercent: 81\n"), "accepted");
}

TEST(NodeConfig, MustSayWhatItIs) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "f:1: apiVersion: missing: add the line 'apiVersion: ebb/v1alpha1'"},
      {"apiVersion: ebb/v1alpha1\n", "f:1: kind: missing: add the line 'kind: NodeConfiguration'"},
      {"new: key\nkind: NodeConfiguration\napiVersion: ebb/v1\n",
       "f:3: apiVersion: 'ebb/v1' is not allowed: ebb/v1alpha1"},
      {"apiVersion: ebb/v1alpha1\nkind: KubeletConfiguration\n",
       "f:2: kind: 'KubeletConfiguration' is not allowed: NodeConfiguration"},
      {"apiVersion: [a]\n", "f:1: apiVersion: a list is not allowed: ebb/v1alpha1"},
      {"- a\n", "f:1: a list is not allowed: a map of keys and values"},
      {"text\n", "f:1: 'text' is not allowed: a map of keys and values"},
      {"a: [\n", "f:2: not valid YAML: end of sequence flow not found"},
  };
  for (const auto& [text, message] : cases) {
    const auto config = ParseNodeConfig(text, "f");
    ASSERT_FALSE(config.ok()) << text;
    EXPECT_EQ(config.error().message, message);
  }
}

TEST(NodeConfig, RenderedIsReadBackAsTheSame) {
  const std::vector<std::string> bodies = {
      "",
      "mode: enforce\nimageGCHighThresholdPercent: 70\nimageMaximumGCAge: 1.5h\n",
      "protect: ['a\"b\\c', '/^x y\\t$/', \"\\\"q\\\"\", 'true', '~', '0x1', 'repo*']\n",
      "sandboxImages: [a:1, 'b@sha256:00']\nmaxBytesPerRun: 1.5Gi\nremovalTimeout: 5m1s\n",
      "stateDirectory: '/a b/é: #x'\nruntimeEndpoint: '/run/\"x\".sock'\nlongIdle: 1ms\n",
  };
  for (const std::string& body : bodies) {
    const auto config = Parse(body);
    ASSERT_TRUE(config.ok()) << config.error().message;
    const std::string text = RenderNodeConfig(*config);
    const auto again = ParseNodeConfig(text, "f");
    ASSERT_TRUE(again.ok()) << again.error().message << "\n" << text;
    EXPECT_EQ(RenderNodeConfig(*again), text);
    ASSERT_EQ(again->policy.protect.size(), config->policy.protect.size());
    for (std::size_t i = 0; i < config->policy.protect.size(); ++i) {
      EXPECT_EQ(again->policy.protect[i].text(), config->policy.protect[i].text());
    }
    EXPECT_EQ(again->sandbox_images, config->sandbox_images);
    EXPECT_EQ(again->state_directory, config->state_directory);
    EXPECT_EQ(again->runtime_endpoint, config->runtime_endpoint);
    EXPECT_EQ(again->policy.radius.max_bytes, config->policy.radius.max_bytes);
    EXPECT_EQ(again->policy.long_idle, config->policy.long_idle);
    EXPECT_EQ(again->policy.marks.low, config->policy.marks.low);
  }
}

TEST(NodeConfig, TheTablesDefaultsAreTheDefaults) {
  for (const KeyDoc& key : Keys()) EXPECT_EQ(key.default_text, key.write(NodeConfig{})) << key.name;
}

TEST(NodeConfig, EveryKeyIsDocumentedOnceAndRefusesNonsense) {
  std::vector<std::string_view> names;
  for (const KeyDoc& key : Keys()) {
    EXPECT_FALSE(std::ranges::count(names, key.name)) << key.name;
    names.push_back(key.name);
    EXPECT_FALSE(key.unit.empty()) << key.name;
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    NodeConfig config;
    const YamlNode nonsense{.kind = YamlNode::Kind::kMap,
                            .line = 7,
                            .entries = {{.key = "nonsense", .line = 7, .value = {.line = 7}}}};
    const auto problem = key.read(nonsense, config);
    ASSERT_TRUE(problem.has_value()) << key.name;
    EXPECT_EQ(problem->line, 7);
  }
}

TEST(NodeConfig, SurvivesRandomKeysAndValues) {
  std::mt19937 random(7);
  const std::vector<std::string> values = {
      "auto", "85", "[]",  "{}", "[a, /b/]", "5Gi",   "1h",  "''", "\"x", "- y",  "\n ",
      "none", "é",  "012", "-1", "/",        "[{p: ", "!!x", "&a", "*a",  "99e99"};
  for (int round = 0; round < 3000; ++round) {
    std::string body;
    for (auto lines = random() % 5; lines > 0; --lines) {
      body.append(Keys()[random() % Keys().size()].name).append(": ");
      body.append(values[random() % values.size()]).append("\n");
    }
    if (random() % 4 == 0)
      body.insert(random() % (body.size() + 1), 1, static_cast<char>(random() % 256));
    const auto config = Parse(body);
    if (config.ok()) continue;
    EXPECT_TRUE(config.error().message.starts_with("/etc/ebb/config.yaml:"));
  }
}

TEST(NodeConfig, AProtectRuleMayGuardToo) {
  const std::string head = "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n";
  const auto config = ParseNodeConfig(
      head + "protect: [a/b:1, {pattern: c/d, guard: true}, {guard: false, pattern: e/f}]\n", "f");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->policy.protect.size(), 3);
  ASSERT_EQ(config->policy.guard.patterns.size(), 1);
  EXPECT_EQ(config->policy.guard.patterns[0].text(), "c/d");
  const auto again = ParseNodeConfig(RenderNodeConfig(*config), "f");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(RenderNodeConfig(*again), RenderNodeConfig(*config));
  EXPECT_EQ(again->policy.guard.patterns.size(), 1);
  EXPECT_EQ(ParseNodeConfig(head + "protect: [{pattern: a, guard: maybe}]\n", "f").error().message,
            "f:3: protect[0].guard: 'maybe' is not allowed: true or false");
}

TEST(NodeConfig, TheGuardIsAutoOnOrOff) {
  const std::string head = "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n";
  EXPECT_EQ(ParseNodeConfig(head, "f")->guard, GuardMode::kAuto);
  EXPECT_EQ(ParseNodeConfig(head + "guard: on\n", "f")->guard, GuardMode::kOn);
  EXPECT_EQ(ParseNodeConfig(head + "guard: off\n", "f")->guard, GuardMode::kOff);
  EXPECT_FALSE(ParseNodeConfig(head + "guard: yes\n", "f").ok());
}

}  // namespace
}  // namespace ebb::config
