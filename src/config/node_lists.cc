#include "config/node_lists.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "config/nearest.h"
#include "config/node_values.h"
#include "config/values.h"
#include "image/reference.h"

namespace ebb::config {
namespace {

using Problem = std::optional<ValueProblem>;

// Deeply nested regular expressions exhaust the stack of the library that compiles them.
constexpr std::size_t kLongestPattern = 512;

constexpr std::string_view kPatterns = "a list of patterns, [] for none";
constexpr std::string_view kImages = "a list of image references, [] for none";
constexpr std::string_view kRules = "a list of {pattern: ..., age: ...}, [] for none";
constexpr std::string_view kRule = "{pattern: ..., age: ...}";
constexpr std::string_view kPattern = "a pattern or {pattern: ...}";
constexpr std::string_view kGuard = "true or false";

std::string At(std::size_t i) {
  return "[" + std::to_string(i) + "]";
}

// The scalar of an item: itself, or the value of its one key; a problem if it is neither.
Problem FindPattern(const YamlNode& item, std::string& where, const YamlNode*& found) {
  found = &item;
  if (item.kind != YamlNode::Kind::kMap) return std::nullopt;
  found = nullptr;
  constexpr std::array<std::string_view, 1> kKnown = {"pattern"};
  for (const Entry& entry : item.entries) {
    if (entry.key == kKnown[0]) {
      found = &entry.value;
      continue;
    }
    return ValueProblem{entry.line, where + "." + Shortened(entry.key),
                        "unknown key: pattern and guard are the only ones here"};
  }
  if (found == nullptr) return NotAllowed(item, kPattern, where);
  where += ".pattern";
  return std::nullopt;
}

Problem ReadPattern(const YamlNode& item, std::string where,
                    std::vector<image::Pattern>& patterns) {
  const YamlNode* scalar = nullptr;
  if (auto problem = FindPattern(item, where, scalar)) return problem;
  if (scalar->kind != YamlNode::Kind::kScalar)
    return NotAllowed(*scalar, kPattern, std::move(where));
  if (scalar->text.size() > kLongestPattern) {
    return NotAllowed(*scalar, "a pattern of at most 512 bytes", std::move(where));
  }
  auto pattern = image::Pattern::Parse(scalar->text);
  if (!pattern.ok()) {
    return ValueProblem{scalar->line, std::move(where), pattern.error().message};
  }
  patterns.push_back(*std::move(pattern));
  return std::nullopt;
}

Problem ReadRule(const YamlNode& item, const std::string& where,
                 std::vector<image::AgeRule>& rules) {
  if (item.kind != YamlNode::Kind::kMap) return NotAllowed(item, kRule, where);
  std::vector<image::Pattern> patterns;
  std::optional<base::Duration> age;
  for (const Entry& entry : item.entries) {
    const std::string at = where + "." + Shortened(entry.key);
    if (entry.key == "pattern") {
      if (auto problem = ReadPattern(entry.value, at, patterns)) return problem;
    } else if (entry.key == "age") {
      age = Age::Read(entry.value);
      if (!age) return NotAllowed(entry.value, Age::kAllowed, at);
    } else {
      return ValueProblem{entry.line, at, "unknown key: pattern and age are the only ones here"};
    }
  }
  if (patterns.empty() || !age) return NotAllowed(item, kRule, where);
  rules.push_back({std::move(patterns.front()), *age});
  return std::nullopt;
}

// `guard: true` beside a pattern; what is left of the item is a pattern.
Problem TakeGuard(YamlNode& item, const std::string& where, bool& guard) {
  const YamlNode* const value = Find(item, "guard");
  if (value == nullptr) return std::nullopt;
  if (value->kind != YamlNode::Kind::kScalar || value->quoted ||
      (value->text != "true" && value->text != "false")) {
    return NotAllowed(*value, kGuard, where + ".guard");
  }
  guard = value->text == "true";
  std::erase_if(item.entries, [](const Entry& entry) { return entry.key == "guard"; });
  return std::nullopt;
}

template <class Items, class Text>
std::string WriteList(const Items& items, Text text) {
  if (items.empty()) return "[]";
  std::string list;
  for (const auto& item : items) list += "\n  - " + Quote(text(item));
  return list;
}

}  // namespace

ValueProblem NotAllowed(const YamlNode& node, std::string_view allowed, std::string where) {
  return {node.line, std::move(where), Shown(node) + " is not allowed: " + std::string(allowed)};
}

Problem ReadProtect(const YamlNode& node, NodeConfig& config) {
  if (node.kind != YamlNode::Kind::kSequence) return NotAllowed(node, kPatterns);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    YamlNode item = node.items[i];
    bool guard = false;
    if (auto problem = TakeGuard(item, At(i), guard)) return problem;
    if (auto problem = ReadPattern(item, At(i), config.policy.protect)) return problem;
    if (guard) config.policy.guard.patterns.push_back(config.policy.protect.back());
  }
  return std::nullopt;
}

std::string WriteProtect(const NodeConfig& config) {
  if (config.policy.protect.empty()) return "[]";
  const auto& guarded = config.policy.guard.patterns;
  std::string list;
  for (const image::Pattern& pattern : config.policy.protect) {
    const bool guard =
        std::ranges::find(guarded, pattern.text(), &image::Pattern::text) != guarded.end();
    list += "\n  - ";
    list += guard ? "{pattern: " + Quote(pattern.text()) + ", guard: true}" : Quote(pattern.text());
  }
  return list;
}

Problem ReadUnusedFor(const YamlNode& node, NodeConfig& config) {
  if (node.kind != YamlNode::Kind::kSequence) return NotAllowed(node, kRules);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (auto problem = ReadRule(node.items[i], At(i), config.policy.unused_for)) return problem;
  }
  return std::nullopt;
}

std::string WriteUnusedFor(const NodeConfig& config) {
  if (config.policy.unused_for.empty()) return "[]";
  std::string list;
  for (const image::AgeRule& rule : config.policy.unused_for) {
    list +=
        "\n  - {pattern: " + Quote(rule.pattern.text()) + ", age: " + Age::Write(rule.age) + "}";
  }
  return list;
}

Problem ReadSandboxImages(const YamlNode& node, NodeConfig& config) {
  if (node.kind != YamlNode::Kind::kSequence) return NotAllowed(node, kImages);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    auto image = ReadWord(node.items[i]);
    if (!image) {
      return NotAllowed(node.items[i], "an image such as registry.k8s.io/pause:3.10", At(i));
    }
    config.sandbox_images.push_back(*std::move(image));
  }
  return std::nullopt;
}

std::string WriteSandboxImages(const NodeConfig& config) {
  return WriteList(config.sandbox_images, [](const std::string& image) { return image; });
}

}  // namespace ebb::config
