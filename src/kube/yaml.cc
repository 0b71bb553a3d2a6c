#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <exception>
#include <string>

#include "base/text.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
constexpr int kMaxDepth = 64;
constexpr int kMaxValues = 100'000;
constexpr int kMaxValuesOfAll = 10'000'000;

// Aliases are written out, so an alias inside itself ends at the depth and a bomb of them at the
// number of values.
class Converter {
 public:
  // Without keys, everything is wanted.
  explicit Converter(int most_values, std::span<const std::string_view> keys = {})
      : most_values_(most_values), keys_(keys) {}

  Json Convert(const YAML::Node& node, int depth) {
    if (!refusal_.empty()) return {};
    if (depth > kMaxDepth) return Refuse("nested deeper than 64 levels");
    if (++values_ > most_values_) {
      return Refuse("more than " + std::to_string(most_values_) + " values");
    }
    switch (node.Type()) {
      case YAML::NodeType::Scalar: return Json(node.Scalar());
      case YAML::NodeType::Sequence: return List(node, depth);
      case YAML::NodeType::Map: return Map(node, depth);
      case YAML::NodeType::Null:
      case YAML::NodeType::Undefined: return {};
    }
    return {};
  }

  const std::string& refusal() const { return refusal_; }

 private:
  Json Refuse(std::string why) {
    if (refusal_.empty()) refusal_ = std::move(why);
    return {};
  }

  Json List(const YAML::Node& node, int depth) {
    boost::json::array list;
    list.reserve(node.size());
    for (const auto& item : node) list.push_back(Convert(item, depth + 1));
    return list;
  }

  Json Map(const YAML::Node& node, int depth) {
    JsonObject map;
    for (const auto& entry : node) {
      const YAML::Node& key = entry.first;
      if (!key.IsScalar()) return Refuse("a key is no text");
      if (key.Scalar() == "<<") return Refuse("merge keys (<<) are not supported: write them out");
      if (!Wants(key.Scalar())) continue;
      const bool fresh = map.emplace(key.Scalar(), Convert(entry.second, depth + 1)).second;
      if (!fresh) return Refuse("the key " + base::OneLine(key.Scalar()) + " stands there twice");
    }
    return map;
  }

  bool Wants(std::string_view key) const {
    return keys_.empty() || std::ranges::find(keys_, key) != keys_.end();
  }

  int most_values_;
  std::span<const std::string_view> keys_;
  int values_ = 0;
  std::string refusal_;
};

base::Error NoYaml(const std::string& why) {
  return {base::ErrorCode::kInternal, "it is no YAML to read (" + base::OneLine(why) + ")"};
}

}  // namespace

base::Result<Json> ReadYaml(std::string_view text) {
  if (text.size() > kMaxBytes) return NoYaml("larger than 1 MiB");
  try {
    Converter converter(kMaxValues);
    Json value = converter.Convert(YAML::Load(std::string(text)), 0);
    if (!converter.refusal().empty()) return NoYaml(converter.refusal());
    return value;
  } catch (const std::exception& failure) {
    return NoYaml(failure.what());
  }
}

base::Result<std::vector<Json>> ReadYamlAll(std::string_view text,
                                            std::span<const std::string_view> keys) {
  try {
    Converter converter(kMaxValuesOfAll, keys);
    std::vector<Json> documents;
    for (const YAML::Node& node : YAML::LoadAll(std::string(text))) {
      documents.push_back(converter.Convert(node, 0));
    }
    if (!converter.refusal().empty()) return NoYaml(converter.refusal());
    return documents;
  } catch (const std::exception& failure) {
    return NoYaml(failure.what());
  }
}

}  // namespace ebb::kube
