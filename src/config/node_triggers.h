// The keys about what makes the daemon reclaim besides the marks.
#pragma once

#include <optional>
#include <string>

#include "config/node_config.h"
#include "config/yaml.h"

namespace ebb::config {

// `reclaimHard`, `reclaimSoft`, `reclaimMinimum`: maps of signals to shares or quantities, as the
// kubelet's evictionHard, evictionSoft and evictionMinimumReclaim (v1.36).
using Limits = std::map<image::Signal, image::Limit>;
std::optional<ValueProblem> ReadLimits(const YamlNode& node, Limits& limits);
std::string WriteLimits(const Limits& limits);

// `reclaimSoftGracePeriod`: a map of signals to durations.
using Graces = std::map<image::Signal, base::Duration>;
std::optional<ValueProblem> ReadGraces(const YamlNode& node, Graces& graces);
std::string WriteGraces(const Graces& graces);

// `dailyWindow`: {from: "02:00", to: "04:30", imageGCLowThresholdPercent: 60}, or none.
std::optional<ValueProblem> ReadWindow(const YamlNode& node, NodeConfig& config);
std::string WriteWindow(const NodeConfig& config);

// `headroom`: auto, 0 or a size.
struct HeadroomSize {
  static constexpr std::string_view kAllowed = "a size such as 5Gi, 0, or auto";
  static std::optional<std::optional<base::Bytes>> Read(const YamlNode& node);
  static std::string Write(const std::optional<base::Bytes>& size);
};

// A name of Kubernetes (DNS subdomain), or nothing.
struct NodeName {
  static constexpr std::string_view kAllowed = "lower-case letters, digits, '-' and '.', or \"\"";
  static std::optional<std::string> Read(const YamlNode& node);
  static std::string Write(const std::string& name);
};

// `listen`: a loopback or other address with a port, or a unix socket; empty: nowhere.
struct ListenAddress {
  static constexpr std::string_view kAllowed =
      "an address such as 127.0.0.1:9469, a socket such as unix:///run/ebb.sock, or \"\"";
  static std::optional<std::string> Read(const YamlNode& node);
  static std::string Write(const std::string& address);
};

// `podSources`: a list of {kubelet: URL, tokenFile: FILE, caFile: FILE}, {manifests: DIRECTORY},
// {kubeconfig: FILE} and {serviceAccount: DIRECTORY}.
std::optional<ValueProblem> ReadPodSources(const YamlNode& node, NodeConfig& config);
std::string WritePodSources(const NodeConfig& config);

// The thresholds that the four maps make. The sentence says which key lacks what: a soft threshold
// needs a grace period, and a minimum to reclaim needs a threshold of its signal.
std::optional<std::string> MakeThresholds(NodeConfig& config);

}  // namespace ebb::config
