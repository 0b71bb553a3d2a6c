#include "config/node_triggers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "config/node_lists.h"
#include "config/node_values.h"
#include "config/values.h"

namespace ebb::config {
namespace {

using Problem = std::optional<ValueProblem>;

constexpr std::string_view kSignalMap =
    "a map of signals such as imagefs.available: 10%, {} for none";
constexpr std::string_view kWindow =
    "{from: \"02:00\", to: \"04:30\", imageGCLowThresholdPercent: 60}, or none";
constexpr auto kMinutesOfDay = 24 * 60;

// Calls `read` with each signal and its value.
template <class Read>
Problem ReadSignalMap(const YamlNode& node, Read read) {
  if (node.kind != YamlNode::Kind::kMap) return NotAllowed(node, kSignalMap);
  for (const Entry& entry : node.entries) {
    const std::string where = "." + Shortened(entry.key);
    const auto signal = image::ParseSignal(entry.key);
    if (!signal) {
      return ValueProblem{entry.line, where,
                          "unknown signal: imagefs, containerfs or nodefs, with .available or "
                          ".inodesFree"};
    }
    if (auto problem = read(*signal, entry.value, where)) return problem;
  }
  return std::nullopt;
}

template <class Map, class Text>
std::string WriteSignalMap(const Map& map, Text text) {
  if (map.empty()) return "{}";
  std::string lines;
  for (const auto& [signal, value] : map) {
    lines.append("\n  ").append(Code(signal)).append(": ").append(text(value));
  }
  return lines;
}

// "02:30", in minutes since midnight.
std::optional<int> ReadTimeOfDay(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar || node.text.size() != 5 || node.text[2] != ':') {
    return std::nullopt;
  }
  int hours = -1;
  int minutes = -1;
  const char* const text = node.text.data();
  const auto hour_end = std::from_chars(text, text + 2, hours);
  const auto minute_end = std::from_chars(text + 3, text + 5, minutes);
  if (hour_end.ptr != text + 2 || minute_end.ptr != text + 5) return std::nullopt;
  if (hours < 0 || minutes < 0 || minutes > 59) return std::nullopt;
  const int total = hours * 60 + minutes;
  return total < kMinutesOfDay ? std::optional(total) : std::nullopt;
}

std::string WriteTimeOfDay(base::Duration time) {
  const auto total = std::chrono::duration_cast<std::chrono::minutes>(time).count();
  const auto two = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return "\"" + two(total / 60) + ":" + two(total % 60) + "\"";
}

Problem ReadWindowEntry(const Entry& entry, image::DailyWindow& window) {
  const std::string where = "." + Shortened(entry.key);
  if (entry.key == "imageGCLowThresholdPercent") {
    const auto low = ReadInt(entry.value, 0, 100);
    if (!low) return NotAllowed(entry.value, "a whole number 0-100", where);
    window.low = {*low};
    return std::nullopt;
  }
  if (entry.key != "from" && entry.key != "to") {
    return ValueProblem{entry.line, where,
                        "unknown key: from, to and imageGCLowThresholdPercent are the only ones"};
  }
  const auto time = ReadTimeOfDay(entry.value);
  if (!time) return NotAllowed(entry.value, "a time of day in UTC such as \"02:30\"", where);
  (entry.key == "from" ? window.from : window.to) = std::chrono::minutes(*time);
  return std::nullopt;
}

std::optional<std::string> AddThresholds(const NodeConfig& config, const Limits& limits, bool soft,
                                         std::vector<image::Threshold>& thresholds) {
  for (const auto& [signal, value] : limits) {
    // As the kubelet has it, 0% and 100% switch a threshold off.
    if (value.percent && (*value.percent <= 0 || *value.percent >= 100)) continue;
    image::Threshold threshold{.signal = signal, .value = value};
    if (soft) {
      const auto grace = config.reclaim_grace.find(signal);
      if (grace == config.reclaim_grace.end()) {
        return "reclaimSoft." + std::string(Code(signal)) +
               ": needs its period in reclaimSoftGracePeriod";
      }
      threshold.grace = grace->second;
    }
    const auto reclaim = config.reclaim_minimum.find(signal);
    if (reclaim != config.reclaim_minimum.end()) threshold.reclaim = reclaim->second;
    thresholds.push_back(threshold);
  }
  return std::nullopt;
}

constexpr std::string_view kSources =
    "a list of {kubelet: URL, tokenFile: FILE, caFile: FILE}, {manifests: DIRECTORY}, {kubeconfig: "
    "FILE} and {serviceAccount: DIRECTORY}, [] for none";
using SourceKind = PodSourceConfig::Kind;
constexpr std::array<std::pair<SourceKind, std::string_view>, 4> kSourceNames = {
    {{SourceKind::kKubelet, "kubelet"},
     {SourceKind::kManifests, "manifests"},
     {SourceKind::kKubeconfig, "kubeconfig"},
     {SourceKind::kServiceAccount, "serviceAccount"}}};
constexpr std::string_view kTokenFile = "tokenFile";
constexpr std::string_view kCaFile = "caFile";

// What else is said of a kubelet. False: it is not allowed.
bool ReadOfKubelet(const Entry& entry, PodSourceConfig& source) {
  const auto path = ReadWord(entry.value);
  if (source.kind != SourceKind::kKubelet || !path || !path->starts_with('/')) return false;
  if (entry.key != kTokenFile && entry.key != kCaFile) return false;
  (entry.key == kTokenFile ? source.token_file : source.ca_file) = *path;
  return true;
}

std::optional<PodSourceConfig> ReadPodSource(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kMap || node.entries.empty()) return std::nullopt;
  const Entry& entry = node.entries.front();
  const auto* const known =
      std::ranges::find(kSourceNames, entry.key, [](const auto& pair) { return pair.second; });
  const auto place = ReadWord(entry.value);
  if (known == kSourceNames.end() || !place) return std::nullopt;
  const bool url = place->starts_with("https://") || place->starts_with("http://");
  const bool right = known->first == SourceKind::kKubelet ? url : place->starts_with('/');
  if (!right) return std::nullopt;
  PodSourceConfig source{.kind = known->first, .place = *place};
  for (std::size_t i = 1; i < node.entries.size(); ++i) {
    if (!ReadOfKubelet(node.entries[i], source)) return std::nullopt;
  }
  return source;
}

}  // namespace

Problem ReadLimits(const YamlNode& node, Limits& limits) {
  return ReadSignalMap(
      node, [&](image::Signal signal, const YamlNode& value, const std::string& where) -> Problem {
        const auto limit = image::ParseLimit(value.text);
        if (value.kind != YamlNode::Kind::kScalar || !limit.ok()) {
          return NotAllowed(value, "a share such as 10% or a quantity such as 1Gi", where);
        }
        limits[signal] = *limit;
        return std::nullopt;
      });
}

std::string WriteLimits(const Limits& limits) {
  return WriteSignalMap(limits, image::FormatLimit);
}

Problem ReadGraces(const YamlNode& node, Graces& graces) {
  return ReadSignalMap(
      node, [&](image::Signal signal, const YamlNode& value, const std::string& where) -> Problem {
        const auto grace = ReadDuration(value);
        if (!grace) return NotAllowed(value, Age::kAllowed, where);
        graces[signal] = *grace;
        return std::nullopt;
      });
}

std::string WriteGraces(const Graces& graces) {
  return WriteSignalMap(graces, ShortDuration);
}

Problem ReadWindow(const YamlNode& node, NodeConfig& config) {
  if (node.kind == YamlNode::Kind::kScalar && node.text == "none") {
    config.policy.triggers.window.reset();
    return std::nullopt;
  }
  if (node.kind != YamlNode::Kind::kMap || node.entries.size() != 3) {
    return NotAllowed(node, kWindow);
  }
  image::DailyWindow window;
  for (const Entry& entry : node.entries) {
    if (auto problem = ReadWindowEntry(entry, window)) return problem;
  }
  config.policy.triggers.window = window;
  return std::nullopt;
}

std::string WriteWindow(const NodeConfig& config) {
  const auto& window = config.policy.triggers.window;
  if (!window) return "none";
  return "{from: " + WriteTimeOfDay(window->from) + ", to: " + WriteTimeOfDay(window->to) +
         ", imageGCLowThresholdPercent: " + std::to_string(window->low.value) + "}";
}

std::optional<std::optional<base::Bytes>> HeadroomSize::Read(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar) return std::nullopt;
  if (node.text == "auto") return std::optional<base::Bytes>();
  const auto size = base::ParseBytes(node.text);
  return size.ok() ? std::optional(std::optional(*size)) : std::nullopt;
}

std::string HeadroomSize::Write(const std::optional<base::Bytes>& size) {
  return size ? std::to_string(size->count) : "auto";
}

std::optional<std::string> ListenAddress::Read(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar || node.IsNull()) return std::nullopt;
  if (node.text.empty()) return std::string();
  auto word = ReadWord(node);
  if (!word) return std::nullopt;
  if (word->starts_with("unix:///")) return word;
  const auto colon = word->rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  int port = -1;
  const char* const end = word->data() + word->size();
  const auto read = std::from_chars(word->data() + colon + 1, end, port);
  const bool whole = read.ec == std::errc{} && read.ptr == end;
  return whole && port >= 0 && port <= 65535 ? word : std::nullopt;
}

std::string ListenAddress::Write(const std::string& address) {
  return Quote(address);
}

std::optional<std::string> NodeName::Read(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar || node.IsNull()) return std::nullopt;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  const bool right =
      node.text.size() <= 253 && node.text.find_first_not_of(kLetters) == std::string::npos;
  return right ? std::optional(node.text) : std::nullopt;
}

std::string NodeName::Write(const std::string& name) {
  return Quote(name);
}

Problem ReadPodSources(const YamlNode& node, NodeConfig& config) {
  if (node.kind != YamlNode::Kind::kSequence) return NotAllowed(node, kSources);
  std::vector<PodSourceConfig> sources;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    auto source = ReadPodSource(node.items[i]);
    if (!source) return NotAllowed(node.items[i], kSources, "[" + std::to_string(i) + "]");
    sources.push_back(*std::move(source));
  }
  config.pod_sources = std::move(sources);
  return std::nullopt;
}

std::string WritePodSources(const NodeConfig& config) {
  if (config.pod_sources.empty()) return "[]";
  std::string list;
  for (const PodSourceConfig& source : config.pod_sources) {
    const auto* const name =
        std::ranges::find(kSourceNames, source.kind, [](const auto& pair) { return pair.first; });
    list.append("\n  - {").append(name->second).append(": ").append(Quote(source.place));
    if (!source.token_file.empty()) list.append(", tokenFile: ").append(Quote(source.token_file));
    if (!source.ca_file.empty()) list.append(", caFile: ").append(Quote(source.ca_file));
    list += "}";
  }
  return list;
}

std::optional<std::string> MakeThresholds(NodeConfig& config) {
  std::vector<image::Threshold> thresholds;
  if (auto lacks = AddThresholds(config, config.reclaim_hard, false, thresholds)) return lacks;
  if (auto lacks = AddThresholds(config, config.reclaim_soft, true, thresholds)) return lacks;
  for (const auto& [signal, grace] : config.reclaim_grace) {
    if (config.reclaim_soft.contains(signal)) continue;
    return "reclaimSoftGracePeriod." + std::string(Code(signal)) +
           ": has no threshold in reclaimSoft";
  }
  for (const auto& [signal, limit] : config.reclaim_minimum) {
    if (config.reclaim_hard.contains(signal) || config.reclaim_soft.contains(signal)) continue;
    return "reclaimMinimum." + std::string(Code(signal)) +
           ": has no threshold in reclaimHard or reclaimSoft";
  }
  config.policy.triggers.thresholds = std::move(thresholds);
  return std::nullopt;
}

}  // namespace ebb::config
