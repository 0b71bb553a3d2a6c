#include "config/crictl_config.h"

#include "config/values.h"
#include "config/yaml.h"

namespace ebb::config {
namespace {

base::Result<std::string> TextOf(const YamlNode& root, std::string_view key,
                                 std::string_view file) {
  const YamlNode* const node = Find(root, key);
  if (node == nullptr) return std::string();
  if (node->kind == YamlNode::Kind::kScalar) return node->text;
  return ErrorAt(file, node->line,
                 std::string(key) + ": " + Shown(*node) + " is not allowed: text");
}

}  // namespace

base::Result<CrictlConfig> ParseCrictlConfig(std::string_view text, std::string_view file) {
  const auto root = ReadYaml(text, file);
  if (!root.ok()) return root.error();
  const auto runtime = TextOf(*root, "runtime-endpoint", file);
  if (!runtime.ok()) return runtime.error();
  const auto image = TextOf(*root, "image-endpoint", file);
  if (!image.ok()) return image.error();
  return CrictlConfig{.runtime_endpoint = *runtime, .image_endpoint = *image};
}

}  // namespace ebb::config
