#include <yaml-cpp/yaml.h>

#include <exception>
#include <string>

#include "base/text.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
constexpr int kMaxDepth = 64;
constexpr int kMaxValues = 100'000;

// Aliases are written out, so an alias inside itself ends at the depth and a bomb of them at the
// number of values.
class Converter {
 public:
  Json Convert(const YAML::Node& node, int depth) {
    if (!refusal_.empty()) return {};
    if (depth > kMaxDepth) return Refuse("nested deeper than 64 levels");
    if (++values_ > kMaxValues) return Refuse("more than 100000 values");
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
      const bool fresh = map.emplace(key.Scalar(), Convert(entry.second, depth + 1)).second;
      if (!fresh) return Refuse("the key " + base::OneLine(key.Scalar()) + " stands there twice");
    }
    return map;
  }

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
    Converter converter;
    Json value = converter.Convert(YAML::Load(std::string(text)), 0);
    if (!converter.refusal().empty()) return NoYaml(converter.refusal());
    return value;
  } catch (const std::exception& failure) {
    return NoYaml(failure.what());
  }
}

}  // namespace ebb::kube
