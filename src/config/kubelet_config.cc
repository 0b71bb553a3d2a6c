#include "config/kubelet_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/bytes.h"
#include "config/values.h"
#include "config/yaml.h"

namespace ebb::config {
namespace {

constexpr std::string_view kHigh = "imageGCHighThresholdPercent";
constexpr std::string_view kLow = "imageGCLowThresholdPercent";
constexpr std::string_view kRuntime = "containerRuntimeEndpoint";
constexpr std::string_view kImage = "imageServiceEndpoint";
constexpr std::string_view kStaticPods = "staticPodPath";
constexpr std::string_view kMergeDefaults = "mergeDefaultEvictionSettings";
constexpr std::string_view kEvictionHard = "evictionHard";
constexpr std::string_view kEvictionSoft = "evictionSoft";
constexpr std::string_view kSoftGrace = "evictionSoftGracePeriod";
constexpr std::string_view kImagefs = "imagefs.available";

constexpr std::array kScalars = {kHigh, kLow, kRuntime, kImage, kStaticPods, kMergeDefaults};

const std::string kByDefault = "the kubelet's default";
// evictionHard as far as it is about disks.
const KubeletValues kDefaults = {{"imagefs.available", {"15%", kByDefault}},
                                 {"imagefs.inodesFree", {"5%", kByDefault}},
                                 {"nodefs.available", {"10%", kByDefault}},
                                 {"nodefs.inodesFree", {"5%", kByDefault}}};

// What all sources together say.
struct Settings {
  KubeletValues values;
  std::optional<KubeletValues> eviction_hard;
  KubeletValues eviction_soft;
  KubeletValues soft_grace;
};

base::Error Bad(const KubeletValue& value, std::string_view key, std::string_view allowed) {
  return {base::ErrorCode::kUsage, value.source + ": " + std::string(key) + ": '" +
                                       Shortened(value.text) +
                                       "' is not allowed: " + std::string(allowed)};
}

// One more file on top of what is known. A null takes a setting back, as in a merge patch.
class Overlay {
 public:
  Overlay(Settings& settings, std::string_view file) : settings_(settings), file_(file) {}

  base::Status Apply(const YamlNode& root) {
    if (root.IsNull()) return base::Done{};
    if (root.kind != YamlNode::Kind::kMap) {
      return ErrorAt(file_, root.line, Shown(root) + " is not allowed: a map of keys and values");
    }
    for (const Entry& entry : root.entries) {
      auto status = ApplyEntry(entry);
      if (!status.ok()) return status;
    }
    return base::Done{};
  }

 private:
  base::Status ApplyEntry(const Entry& entry) {
    if (entry.key == kEvictionHard) return ApplyEviction(entry);
    if (entry.key == kEvictionSoft) return ApplySoft(entry, settings_.eviction_soft);
    if (entry.key == kSoftGrace) return ApplySoft(entry, settings_.soft_grace);
    if (std::ranges::find(kScalars, entry.key) == kScalars.end()) return base::Done{};
    return Set(settings_.values, entry, "");
  }

  base::Status ApplyEviction(const Entry& entry) {
    if (entry.value.IsNull()) {
      settings_.eviction_hard.reset();
      return base::Done{};
    }
    if (entry.value.kind != YamlNode::Kind::kMap) return Wrong(entry, "", "a map of signals");
    if (!settings_.eviction_hard) settings_.eviction_hard.emplace();
    for (const Entry& signal : entry.value.entries) {
      auto status = Set(*settings_.eviction_hard, signal, "evictionHard.");
      if (!status.ok()) return status;
    }
    return base::Done{};
  }

  base::Status ApplySoft(const Entry& entry, KubeletValues& values) {
    if (entry.value.IsNull()) values.clear();
    if (entry.value.kind != YamlNode::Kind::kMap) return base::Done{};
    for (const Entry& signal : entry.value.entries) {
      auto status = Set(values, signal, entry.key + ".");
      if (!status.ok()) return status;
    }
    return base::Done{};
  }

  base::Status Set(KubeletValues& values, const Entry& entry, std::string_view prefix) {
    if (entry.value.kind != YamlNode::Kind::kScalar) return Wrong(entry, prefix, "a single value");
    if (entry.value.IsNull()) {
      values.erase(entry.key);
      return base::Done{};
    }
    values[entry.key] = {entry.value.text,
                         std::string(file_) + ":" + std::to_string(entry.value.line)};
    return base::Done{};
  }

  base::Error Wrong(const Entry& entry, std::string_view prefix, std::string_view allowed) const {
    return ErrorAt(file_, entry.value.line,
                   std::string(prefix) + Shortened(entry.key) + ": " + Shown(entry.value) +
                       " is not allowed: " + std::string(allowed));
  }

  Settings& settings_;
  std::string_view file_;
};

base::Status ApplyFile(const KubeletFile& file, Settings& settings) {
  const auto root = ReadYaml(file.text, file.name);
  if (!root.ok()) return root.error();
  return Overlay(settings, file.name).Apply(*root);
}

base::Result<Settings> MergeAll(const KubeletFlags& flags, const KubeletFile& main,
                                std::span<const KubeletFile> drop_ins) {
  Settings settings;
  if (auto status = ApplyFile(main, settings); !status.ok()) return status.error();
  if (!settings.eviction_hard) settings.eviction_hard = kDefaults;
  for (const KubeletFile& file : drop_ins) {
    if (auto status = ApplyFile(file, settings); !status.ok()) return status.error();
    if (!settings.eviction_hard) settings.eviction_hard = kDefaults;
  }
  for (const auto& [key, value] : flags.values) settings.values[key] = value;
  if (flags.eviction_hard) settings.eviction_hard = flags.eviction_hard;
  const auto merge = settings.values.find(kMergeDefaults);
  const bool merges = merge != settings.values.end() && merge->second.text == "true";
  if (merges) settings.eviction_hard->insert(kDefaults.begin(), kDefaults.end());
  return settings;
}

std::string TextOf(const Settings& settings, std::string_view key) {
  const auto value = settings.values.find(key);
  return value == settings.values.end() ? std::string() : value->second.text;
}

base::Result<base::Percent> PercentOf(const Settings& settings, std::string_view key,
                                      int fallback) {
  const auto value = settings.values.find(key);
  if (value == settings.values.end()) return base::Percent{fallback};
  const auto percent = ReadInt(YamlNode{.text = value->second.text}, 0, 100);
  if (!percent) return Bad(value->second, key, "a whole number 0-100");
  return base::Percent{*percent};
}

// nullopt: the threshold is off.
base::Result<std::optional<image::Quantity>> ThresholdOf(const KubeletValue& value) {
  constexpr std::string_view kAllowed = "a percentage such as 15% or a size such as 10Gi";
  std::string_view text = value.text;
  if (!text.ends_with('%')) {
    const auto bytes = base::ParseBytes(text);
    if (!bytes.ok() || bytes->count <= 0) return Bad(value, kImagefs, kAllowed);
    return std::optional<image::Quantity>(*bytes);
  }
  text.remove_suffix(1);
  double percent = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const bool number = failure == std::errc() && stop == text.data() + text.size();
  const bool in_range = percent >= 0 && percent <= 100;  // "nan" is a number, but not in range
  if (!number || !in_range) return Bad(value, kImagefs, kAllowed);
  if (percent == 0 || percent == 100) return std::optional<image::Quantity>();
  // More that must stay available is an eviction that comes earlier. 100 would mean "off".
  const int whole = std::min(99, static_cast<int>(std::ceil(percent)));
  return std::optional<image::Quantity>(base::Percent{whole});
}

base::Result<std::optional<image::Quantity>> HardImagefs(const Settings& settings) {
  const auto value = settings.eviction_hard->find(kImagefs);
  if (value == settings.eviction_hard->end()) return std::optional<image::Quantity>();
  return ThresholdOf(value->second);
}

// nullopt: it is off, or means nothing to us, which keeps the kubelet itself from starting.
std::optional<image::Limit> LimitOf(const KubeletValue& value) {
  const auto limit = image::ParseLimit(value.text);
  if (!limit.ok()) return std::nullopt;
  const bool off = limit->percent && (*limit->percent <= 0 || *limit->percent >= 100);
  return off ? std::nullopt : std::optional(*limit);
}

// A soft threshold without a grace period is none.
std::optional<base::Duration> GraceOf(const KubeletValues* periods, const std::string& signal) {
  if (periods == nullptr) return base::Duration{};
  const auto period = periods->find(signal);
  if (period == periods->end()) return std::nullopt;
  const auto time = base::ParseDuration(period->second.text);
  return time.ok() ? std::optional(*time) : std::nullopt;
}

void AddEvictions(const KubeletValues& values, const KubeletValues* periods,
                  std::vector<image::Threshold>& evictions) {
  for (const auto& [name, value] : values) {
    const auto signal = image::ParseSignal(name);
    const auto limit = LimitOf(value);
    const auto grace = GraceOf(periods, name);
    if (!signal || !limit || !grace) continue;
    evictions.push_back({.signal = *signal, .value = *limit, .grace = *grace});
  }
}

std::vector<image::Threshold> EvictionsOf(const Settings& settings) {
  std::vector<image::Threshold> evictions;
  AddEvictions(*settings.eviction_hard, nullptr, evictions);
  AddEvictions(settings.eviction_soft, &settings.soft_grace, evictions);
  return evictions;
}

std::string SourceOf(const KubeletFlags& flags, const KubeletFile& main,
                     std::span<const KubeletFile> drop_ins) {
  std::string source = main.text.empty() ? "" : main.name;
  const auto add = [&](std::string_view name) {
    source.append(source.empty() ? "" : ", ").append(name);
  };
  for (const KubeletFile& file : drop_ins) add(file.name);
  if (!flags.values.empty() || flags.eviction_hard) add("the kubelet's flags");
  if (source.empty()) source = "the kubelet's defaults";
  return source;
}

}  // namespace

base::Result<KubeletFacts> MergeKubelet(const KubeletFlags& flags, const KubeletFile& main,
                                        std::span<const KubeletFile> drop_ins) {
  const auto settings = MergeAll(flags, main, drop_ins);
  if (!settings.ok()) return settings.error();
  const auto high = PercentOf(*settings, kHigh, 85);
  if (!high.ok()) return high.error();
  const auto low = PercentOf(*settings, kLow, 80);
  if (!low.ok()) return low.error();
  const auto imagefs = HardImagefs(*settings);
  if (!imagefs.ok()) return imagefs.error();
  return KubeletFacts{.runtime_endpoint = TextOf(*settings, kRuntime),
                      .image_endpoint = TextOf(*settings, kImage),
                      .static_pod_path = TextOf(*settings, kStaticPods),
                      .node_name = flags.node_name,
                      .thresholds = {.image_gc_high = *high,
                                     .image_gc_low = *low,
                                     .hard_imagefs = *imagefs,
                                     .evictions = EvictionsOf(*settings),
                                     .source = SourceOf(flags, main, drop_ins)}};
}

}  // namespace ebb::config
