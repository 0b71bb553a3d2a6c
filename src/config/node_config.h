// The configuration of a node: apiVersion ebb/v1alpha1, kind NodeConfiguration.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "config/yaml.h"
#include "image/policy.h"

namespace ebb::config {

// Observing is the default: installing ebb removes nothing.
enum class Mode { kObserve, kEnforce };

// The guard takes nothing away, but it changes what a runtime keeps: by itself it goes with
// enforce.
enum class GuardMode { kAuto, kOn, kOff };

// Where it can be learnt which pods are wanted on this node.
struct PodSourceConfig {
  enum class Kind { kKubelet, kManifests, kKubeconfig, kServiceAccount };
  Kind kind = Kind::kKubelet;
  std::string place;  // a URL, a directory, a file
  // Of a kubelet: the token to show it, and who vouches for it. Empty: this node's own certificate,
  // and on the loopback nobody.
  std::string token_file = {};
  std::string ca_file = {};
};

struct NodeConfig {
  image::Policy policy;          // marks.kubelet stays empty: whoever reads the kubelet fills it
  std::string runtime_endpoint;  // "unix:///path"; empty: to be found
  std::string image_endpoint;    // empty: the runtime's
  std::vector<std::string> sandbox_images;  // as written
  int removals_in_flight = 16;
  base::Duration removal_timeout = std::chrono::minutes(5);
  std::string state_directory = "/var/lib/ebb";
  Mode mode = Mode::kObserve;
  GuardMode guard = GuardMode::kAuto;
  std::string listen = "127.0.0.1:9469";  // metrics and status; empty: nowhere
  std::vector<PodSourceConfig> pod_sources;
  std::string node_name;  // to the API server; empty: to be found
  // As written; together they are policy.triggers.thresholds.
  std::map<image::Signal, image::Limit> reclaim_hard;
  std::map<image::Signal, image::Limit> reclaim_soft;
  std::map<image::Signal, base::Duration> reclaim_grace;
  std::map<image::Signal, image::Limit> reclaim_minimum;
};

// What is wrong with one value, and where below its key ("[2].pattern").
struct ValueProblem {
  int line = 1;
  std::string where;
  std::string what;
};

// One key of the file. Reading, writing, the documentation's table and the suggestions for
// misspelt keys all come from this.
struct KeyDoc {
  std::string_view name;
  std::string_view default_text;
  std::string_view unit;
  std::string_view meaning;
  std::optional<ValueProblem> (*read)(const YamlNode&, NodeConfig&) = nullptr;
  std::string (*write)(const NodeConfig&) = nullptr;
};

// Every key, in the order in which the file is best written.
std::span<const KeyDoc> Keys();

// Strict: an unknown or duplicate key, a wrong type, a value out of range or two values that
// contradict each other give one kUsage error "file:line: key: what is wrong: what is allowed".
// Absent keys have the defaults of NodeConfig, but an imageGCHighThresholdPercent alone also sets
// the low mark, two points below.
base::Result<NodeConfig> ParseNodeConfig(std::string_view text, std::string_view file);

// A complete file with every effective value; parsing it gives the same configuration.
std::string RenderNodeConfig(const NodeConfig& config);

}  // namespace ebb::config
