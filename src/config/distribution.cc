#include "config/distribution.h"

#include <string_view>

#include "config/values.h"
#include "config/yaml.h"

namespace ebb::config {
namespace {

constexpr std::string_view kKubeletArg = "kubelet-arg";
constexpr std::string_view kDataDir = "data-dir";
constexpr std::string_view kNodeName = "node-name";

std::string AsFlag(std::string_view arg) {
  return arg.starts_with("--") ? std::string(arg) : "--" + std::string(arg);
}

void Take(std::string_view name, std::string_view value, DistributionSettings& settings) {
  if (name == "--config" || name == "-c") settings.config_path = value;
  if (name == "--data-dir" || name == "-d") settings.data_dir = value;
  if (name == "--node-name") settings.node_name = value;
  if (name == "--kubelet-arg") settings.kubelet_args.push_back(AsFlag(value));
}

base::Error Wrong(std::string_view file, const YamlNode& node, std::string_view key) {
  return ErrorAt(file, node.line,
                 std::string(key) + ": " + Shown(node) + " is not allowed: text or a list of text");
}

// One value or a list of them: the same to whoever wrote it.
base::Status AddArgs(std::string_view file, const YamlNode& node, std::vector<std::string>& args) {
  if (node.kind == YamlNode::Kind::kMap) return Wrong(file, node, kKubeletArg);
  if (node.kind == YamlNode::Kind::kScalar) {
    if (!node.text.empty()) args.push_back(AsFlag(node.text));
    return base::Done{};
  }
  for (const YamlNode& item : node.items) {
    if (item.kind != YamlNode::Kind::kScalar) return Wrong(file, item, kKubeletArg);
    args.push_back(AsFlag(item.text));
  }
  return base::Done{};
}

base::Status Apply(const KubeletFile& file, const Entry& entry, DistributionSettings& settings) {
  if (entry.key == kDataDir) {
    if (entry.value.kind != YamlNode::Kind::kScalar) return Wrong(file.name, entry.value, kDataDir);
    settings.data_dir = entry.value.text;
  }
  if (entry.key == kNodeName) {
    if (entry.value.kind != YamlNode::Kind::kScalar) {
      return Wrong(file.name, entry.value, kNodeName);
    }
    settings.node_name = entry.value.text;
  }
  const bool adds = entry.key == std::string(kKubeletArg) + "+";
  if (entry.key != kKubeletArg && !adds) return base::Done{};
  if (!adds) settings.kubelet_args.clear();
  return AddArgs(file.name, entry.value, settings.kubelet_args);
}

}  // namespace

DistributionSettings ParseDistributionFlags(std::span<const std::string> args) {
  DistributionSettings settings;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view arg = args[i];
    const auto equals = arg.find('=');
    const auto name = arg.substr(0, equals);
    if (!name.starts_with('-')) continue;
    if (equals != std::string_view::npos) {
      Take(name, arg.substr(equals + 1), settings);
    } else if (i + 1 < args.size()) {
      Take(name, args[i + 1], settings);
    }
  }
  return settings;
}

base::Result<DistributionSettings> MergeDistribution(const DistributionSettings& flags,
                                                     std::span<const KubeletFile> files) {
  DistributionSettings settings;
  for (const KubeletFile& file : files) {
    const auto root = ReadYaml(file.text, file.name);
    if (!root.ok()) return root.error();
    for (const Entry& entry : root->entries) {
      if (auto status = Apply(file, entry, settings); !status.ok()) return status.error();
    }
  }
  settings.config_path = flags.config_path;
  if (!flags.data_dir.empty()) settings.data_dir = flags.data_dir;
  if (!flags.node_name.empty()) settings.node_name = flags.node_name;
  settings.kubelet_args.insert(settings.kubelet_args.end(), flags.kubelet_args.begin(),
                               flags.kubelet_args.end());
  return settings;
}

}  // namespace ebb::config
