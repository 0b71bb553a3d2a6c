// The kubelet's command line.
#include <algorithm>
#include <array>

#include "config/kubelet_config.h"

namespace ebb::config {
namespace {

struct Flag {
  std::string_view name;
  std::string_view key;
};

// Flags that say the same as one key of the file.
constexpr std::array kFlags = {
    Flag{"--image-gc-high-threshold", "imageGCHighThresholdPercent"},
    Flag{"--image-gc-low-threshold", "imageGCLowThresholdPercent"},
    Flag{"--container-runtime-endpoint", "containerRuntimeEndpoint"},
    Flag{"--image-service-endpoint", "imageServiceEndpoint"},
    Flag{"--pod-manifest-path", "staticPodPath"},
};
constexpr std::string_view kConfig = "--config";
constexpr std::string_view kConfigDir = "--config-dir";
constexpr std::string_view kEvictionHard = "--eviction-hard";
constexpr std::string_view kNodeName = "--hostname-override";

bool IsKnown(std::string_view name) {
  return name == kConfig || name == kConfigDir || name == kEvictionHard || name == kNodeName ||
         std::ranges::find(kFlags, name, &Flag::name) != kFlags.end();
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "imagefs.available<5%,nodefs.available<10%"; a part without '<' says nothing to us.
void AddEviction(std::string_view list, KubeletValues& signals) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    const auto less = part.find('<');
    if (less == std::string_view::npos) continue;
    signals[std::string(Trim(part.substr(0, less)))] = {std::string(Trim(part.substr(less + 1))),
                                                        std::string(kEvictionHard)};
  }
}

void Take(std::string_view name, std::string_view value, KubeletFlags& flags) {
  if (name == kConfig) flags.config_path = value;
  if (name == kConfigDir) flags.config_dir = value;
  if (name == kNodeName) flags.node_name = value;
  if (name == kEvictionHard) {
    if (!flags.eviction_hard) flags.eviction_hard.emplace();
    AddEviction(value, *flags.eviction_hard);
  }
  const auto* const flag = std::ranges::find(kFlags, name, &Flag::name);
  if (flag == kFlags.end()) return;
  flags.values[std::string(flag->key)] = {std::string(value), std::string(name)};
}

}  // namespace

KubeletFlags ParseKubeletFlags(std::span<const std::string> args) {
  KubeletFlags flags;
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    const std::string_view arg = args[i];
    const auto equals = arg.find('=');
    std::string name(arg.substr(0, equals));
    std::ranges::replace(name, '_', '-');
    if (!IsKnown(name)) continue;
    if (equals != std::string_view::npos) {
      Take(name, arg.substr(equals + 1), flags);
    } else if (i + 1 < args.size()) {
      Take(name, args[++i], flags);
    }
  }
  return flags;
}

}  // namespace ebb::config
