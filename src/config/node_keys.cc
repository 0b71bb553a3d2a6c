// The table of keys. A new setting is one more row here, its field in NodeConfig, and its row in
// docs/configuration.md, which a test asks for.
#include <array>
#include <utility>

#include "config/node_config.h"
#include "config/node_lists.h"
#include "config/node_triggers.h"
#include "config/node_values.h"
#include "config/values.h"

namespace ebb::config {
namespace {

using Problem = std::optional<ValueProblem>;

template <class Type, auto Place>
Problem ReadAs(const YamlNode& node, NodeConfig& config) {
  auto value = Type::Read(node);
  if (!value) return NotAllowed(node, Type::kAllowed);
  Place(config) = *std::move(value);
  return std::nullopt;
}

template <class Type, auto Place>
std::string WriteAs(const NodeConfig& config) {
  return Type::Write(Place(config));
}

// A key whose value is of one Type and is kept at one Place of the configuration.
template <class Type, auto Place>
constexpr KeyDoc Key(std::string_view name, std::string_view default_text, std::string_view unit,
                     std::string_view meaning) {
  return {name, default_text, unit, meaning, ReadAs<Type, Place>, WriteAs<Type, Place>};
}

// A map whose reader and writer know nothing of NodeConfig.
template <auto Read, auto Place>
Problem ReadMap(const YamlNode& node, NodeConfig& config) {
  return Read(node, Place(config));
}

template <auto Write, auto Place>
std::string WriteMap(const NodeConfig& config) {
  return Write(Place(config));
}

constexpr std::string_view kApiVersion = "ebb/v1alpha1";
constexpr std::string_view kKind = "NodeConfiguration";

// A key that says what the file is and has one value only.
template <const std::string_view& Word>
constexpr KeyDoc Header(std::string_view name, std::string_view meaning) {
  return {name,
          Word,
          "word",
          meaning,
          [](const YamlNode& node, NodeConfig&) -> Problem {
            if (node.kind == YamlNode::Kind::kScalar && node.text == Word) return std::nullopt;
            return NotAllowed(node, Word);
          },
          [](const NodeConfig&) { return std::string(Word); }};
}

// clang-format off: a table is read by its columns.
constexpr std::array kKeys = {
    Header<kApiVersion>("apiVersion", "version of this format; required"),
    Header<kKind>("kind", "what this file configures; required"),
    Key<ModeWord, [](auto& c) -> auto& { return c.mode; }>(
        "mode", "observe", "word", "observe: the daemon removes nothing; enforce: it does"),
    Key<Endpoint, [](auto& c) -> auto& { return c.runtime_endpoint; }>(
        "runtimeEndpoint", "\"\"", "socket", "the container runtime; empty: it is looked for"),
    Key<Endpoint, [](auto& c) -> auto& { return c.image_endpoint; }>(
        "imageServiceEndpoint", "\"\"", "socket", "its image service; empty: same as the runtime"),
    Key<Mark, [](auto& c) -> auto& { return c.policy.marks.high; }>(
        "imageGCHighThresholdPercent", "auto", "% used", "above it, images are removed"),
    Key<Mark, [](auto& c) -> auto& { return c.policy.marks.low; }>(
        "imageGCLowThresholdPercent", "auto", "% used", "down to it; auto: 2 points below high"),
    Key<Age, [](auto& c) -> auto& { return c.policy.min_seen_age; }>(
        "imageMinimumGCAge", "2m", "duration", "an image seen first less than this ago stays"),
    Key<Age, [](auto& c) -> auto& { return c.policy.min_idle_age; }>(
        "imageMinimumUnusedAge", "10m", "duration", "an image used less than this ago stays"),
    Key<Age, [](auto& c) -> auto& { return c.policy.max_idle_age; }>(
        "imageMaximumGCAge", "0s", "duration",
        "an image unused for longer is removed at any usage; 0s: off"),
    Key<Age, [](auto& c) -> auto& { return c.policy.long_idle; }>(
        "longIdle", "24h", "duration",
        "if the low mark cannot be reached, only images unused for longer are removed"),
    Key<PolicyWord, [](auto& c) -> auto& { return c.policy.removal; }>(
        "removalPolicy", "reuse", "word",
        "what goes first: reuse, idle, lru or bytes"),
    Key<Number, [](auto& c) -> auto& { return c.policy.keep_newest; }>(
        "keepNewest", "0", "images",
        "the newest of each repository are kept if possible; 0: off"),
    KeyDoc{"unusedFor", "[]", "list of rules",
     "images that go at any usage once unused for longer", ReadUnusedFor, WriteUnusedFor},
    KeyDoc{"protect", "[]", "list of patterns", "images that are never removed", ReadProtect,
     WriteProtect},
    Key<GuardWord, [](auto& c) -> auto& { return c.guard; }>(
        "guard", "auto", "word",
        "images that must not be lost are kept by pins, a lease and their names: auto (while mode is enforce), on or off"),
    Key<HeadroomSize, [](auto& c) -> auto& { return c.policy.guard.max_bytes; }>(
        "guardMaxBytes", "auto", "bytes",
        "guarded images take no more, sandbox images aside; auto: 5 % of the image filesystem"),
    KeyDoc{"sandboxImages", "[]", "list of images", "sandbox (pause) images beyond those found",
     ReadSandboxImages, WriteSandboxImages},
    Key<Count, [](auto& c) -> auto& { return c.policy.radius.max_images; }>(
        "maxImagesPerRun", "64", "images", "one run removes at most this many"),
    Key<Share, [](auto& c) -> auto& { return c.policy.radius.max_percent; }>(
        "maxPercentPerRun", "50", "% of images", "one run removes at most this share"),
    Key<Size, [](auto& c) -> auto& { return c.policy.radius.max_bytes; }>(
        "maxBytesPerRun", "none", "bytes", "one run frees at most this much"),
    Key<InFlight, [](auto& c) -> auto& { return c.removals_in_flight; }>(
        "removalsInFlight", "16", "calls", "removals the runtime works on at the same time, 1-64"),
    Key<Timeout, [](auto& c) -> auto& { return c.removal_timeout; }>(
        "removalTimeout", "5m", "duration", "deadline of one removal, 5m-24h"),
    Key<Directory, [](auto& c) -> auto& { return c.state_directory; }>(
        "stateDirectory", "\"/var/lib/ebb\"", "path", "where the usage history is kept"),
    Key<Number, [](auto& c) -> auto& { return c.policy.triggers.max_images; }>(
        "maxImages", "0", "images", "more than so many on the node: the least recently used go; 0: off"),
    Key<HeadroomSize, [](auto& c) -> auto& { return c.policy.triggers.headroom; }>(
        "headroom", "0", "bytes", "kept free; auto: as much as the largest pull of the last week took"),
    KeyDoc{"reclaimHard", "{}", "map of signals", "images are removed at once below it",
     ReadMap<ReadLimits, [](auto& c) -> auto& { return c.reclaim_hard; }>,
     WriteMap<WriteLimits, [](auto& c) -> auto& { return c.reclaim_hard; }>},
    KeyDoc{"reclaimSoft", "{}", "map of signals", "images are removed after being below it for its period",
     ReadMap<ReadLimits, [](auto& c) -> auto& { return c.reclaim_soft; }>,
     WriteMap<WriteLimits, [](auto& c) -> auto& { return c.reclaim_soft; }>},
    KeyDoc{"reclaimSoftGracePeriod", "{}", "map of signals", "the periods of reclaimSoft",
     ReadMap<ReadGraces, [](auto& c) -> auto& { return c.reclaim_grace; }>,
     WriteMap<WriteGraces, [](auto& c) -> auto& { return c.reclaim_grace; }>},
    KeyDoc{"reclaimMinimum", "{}", "map of signals", "how far beyond the threshold is reclaimed",
     ReadMap<ReadLimits, [](auto& c) -> auto& { return c.reclaim_minimum; }>,
     WriteMap<WriteLimits, [](auto& c) -> auto& { return c.reclaim_minimum; }>},
    KeyDoc{"dailyWindow", "none", "times of day", "a part of every day with a lower low mark, in UTC",
     ReadWindow, WriteWindow},
    Key<ListenAddress, [](auto& c) -> auto& { return c.listen; }>(
        "listen", "\"127.0.0.1:9469\"", "address", "where the daemon shows metrics and status; empty: nowhere"),
    KeyDoc{"podSources", "[]", "list of sources",
     "who knows which pods are wanted here: the kubelet, static manifests, the API server",
     ReadPodSources, WritePodSources},
    Key<NodeName, [](auto& c) -> auto& { return c.node_name; }>(
        "nodeName", "\"\"", "name", "what this node is called in the cluster; empty: to be found"),
    Key<DeadWord, [](auto& c) -> auto& { return c.policy.dead.remove; }>(
        "deadContainers", "report", "word",
        "what becomes of containers, sandboxes and logs of pods nobody knows: report or remove"),
    Key<Age, [](auto& c) -> auto& { return c.policy.dead.min_age; }>(
        "minimumContainerTTLDuration", "1h", "duration",
        "what was created less than this ago stays"),
    Key<Limit, [](auto& c) -> auto& { return c.policy.dead.max_per_container; }>(
        "maximumDeadContainersPerContainer", "1", "containers",
        "more of a container whose pod is known are reported as surplus; -1: any number"),
    Key<Limit, [](auto& c) -> auto& { return c.policy.dead.max_in_all; }>(
        "maximumDeadContainers", "-1", "containers",
        "the same for all of the node together; -1: any number"),
};
// clang-format on

}  // namespace

std::span<const KeyDoc> Keys() {
  return kKeys;
}

}  // namespace ebb::config
