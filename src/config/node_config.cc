#include "config/node_config.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/nearest.h"
#include "config/node_triggers.h"
#include "config/node_values.h"
#include "config/values.h"

namespace ebb::config {
namespace {

using Failure = std::optional<base::Error>;

constexpr std::string_view kHigh = "imageGCHighThresholdPercent";
constexpr std::string_view kLow = "imageGCLowThresholdPercent";
constexpr std::string_view kSeenAge = "imageMinimumGCAge";
constexpr std::string_view kIdleAge = "imageMinimumUnusedAge";
constexpr std::string_view kMaxAge = "imageMaximumGCAge";
constexpr int kBand = 2;          // points between the marks if only the high one is given
constexpr int kHighestAuto = 82;  // what `auto` gives at most: 3 below the kubelet's default of 85

// One file while it is read.
struct Reader {
  std::string_view file;
  const YamlNode& root;

  base::Error At(int line, std::string_view key, std::string_view what) const {
    return ErrorAt(file, line, std::string(key).append(": ").append(what));
  }
  base::Error Contradiction(std::string_view key, std::string_view allowed) const {
    const YamlNode* const node = Find(root, key);
    return At(node->line, key, Shown(*node) + " is not allowed: " + std::string(allowed));
  }
};

base::Error UnknownKey(const Reader& reader, const Entry& entry) {
  std::vector<std::string_view> names;
  for (const KeyDoc& key : Keys()) names.push_back(key.name);
  const std::string nearest = Nearest(entry.key, names);
  return reader.At(entry.line, Shortened(entry.key),
                   nearest.empty() ? "unknown key: 'ebb config view' shows all of them"
                                   : "unknown key: did you mean " + nearest + "?");
}

Failure ReadEntry(const Reader& reader, const Entry& entry, NodeConfig& config) {
  const auto keys = Keys();
  const auto key = std::ranges::find(keys, entry.key, &KeyDoc::name);
  if (key == keys.end()) return UnknownKey(reader, entry);
  const auto problem = key->read(entry.value, config);
  if (!problem) return std::nullopt;
  return reader.At(problem->line, entry.key + problem->where, problem->what);
}

// Says what the file is before anything else is looked at: a file of another version has other
// keys.
Failure ReadHeader(const Reader& reader, NodeConfig& config) {
  for (const KeyDoc& key : Keys().first(2)) {
    const auto entry = std::ranges::find(reader.root.entries, key.name, &Entry::key);
    if (entry == reader.root.entries.end()) {
      const std::string line = std::string(key.name) + ": " + std::string(key.default_text);
      return reader.At(1, key.name, "missing: add the line '" + line + "'");
    }
    if (auto failure = ReadEntry(reader, *entry, config)) return failure;
  }
  return std::nullopt;
}

Failure CheckMarks(const Reader& reader, image::MarkSettings& marks) {
  if (!marks.high) {
    if (!marks.low || marks.low->value < kHighestAuto) return std::nullopt;
    return reader.Contradiction(
        kLow, "less than " + std::string(kHigh) + ", which is at most 82 while it is auto");
  }
  const bool low_given = marks.low.has_value();
  if (!low_given) marks.low = base::Percent{std::max(0, marks.high->value - kBand)};
  if (*marks.low < *marks.high) return std::nullopt;
  return low_given ? reader.Contradiction(kLow, "less than " + std::string(kHigh) + ", which is " +
                                                    Mark::Write(marks.high))
                   : reader.Contradiction(kHigh, "a whole number 1-100 or auto");
}

Failure CheckAges(const Reader& reader, const image::Policy& policy) {
  if (policy.max_idle_age == base::Duration::zero()) return std::nullopt;
  const std::array<std::pair<std::string_view, base::Duration>, 2> minimums = {
      {{kSeenAge, policy.min_seen_age}, {kIdleAge, policy.min_idle_age}}};
  for (const auto& [name, minimum] : minimums) {
    if (policy.max_idle_age > minimum) continue;
    return reader.Contradiction(kMaxAge, "more than " + std::string(name) + ", which is " +
                                             Age::Write(minimum) + ", or 0s");
  }
  return std::nullopt;
}

Failure CheckThresholds(const Reader& reader, NodeConfig& config) {
  const auto lacks = MakeThresholds(config);
  if (!lacks) return std::nullopt;
  const auto* const node = Find(reader.root, lacks->substr(0, lacks->find('.')));
  return ErrorAt(reader.file, node == nullptr ? 1 : node->line, *lacks);
}

Failure ReadAll(const Reader& reader, NodeConfig& config) {
  NodeConfig ignored;
  if (auto failure = ReadHeader(reader, ignored)) return failure;
  for (const Entry& entry : reader.root.entries) {
    if (auto failure = ReadEntry(reader, entry, config)) return failure;
  }
  if (auto failure = CheckMarks(reader, config.policy.marks)) return failure;
  if (auto failure = CheckAges(reader, config.policy)) return failure;
  return CheckThresholds(reader, config);
}

}  // namespace

base::Result<NodeConfig> ParseNodeConfig(std::string_view text, std::string_view file) {
  const auto root = ReadYaml(text, file);
  if (!root.ok()) return root.error();
  if (root->kind != YamlNode::Kind::kMap && !root->IsNull()) {
    return ErrorAt(file, root->line, Shown(*root) + " is not allowed: a map of keys and values");
  }
  NodeConfig config;
  if (const auto failure = ReadAll({.file = file, .root = *root}, config)) return *failure;
  return config;
}

std::string RenderNodeConfig(const NodeConfig& config) {
  std::string text;
  for (const KeyDoc& key : Keys()) {
    const std::string value = key.write(config);
    text.append(key.name).append(value.starts_with('\n') ? ":" : ": ").append(value).append("\n");
  }
  return text;
}

}  // namespace ebb::config
