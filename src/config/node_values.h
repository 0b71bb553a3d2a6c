// How the values of a node's configuration are written: one type per kind of value. Read gives
// nullopt for what is not allowed, kAllowed says what is, Write gives a text that Read understands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/percent.h"
#include "base/time.h"
#include "config/node_config.h"
#include "config/yaml.h"

namespace ebb::config {

// Used per cent at which something happens; nullopt is "auto".
struct Mark {
  static constexpr std::string_view kAllowed = "a whole number 0-100 or auto";
  static std::optional<std::optional<base::Percent>> Read(const YamlNode& node);
  static std::string Write(const std::optional<base::Percent>& mark);
};

struct Age {
  static constexpr std::string_view kAllowed =
      "a duration from 0s to 87600h such as 90s, 10m or 4d";
  static std::optional<base::Duration> Read(const YamlNode& node);
  static std::string Write(base::Duration age);
};

// A shorter deadline would give up on removals that the runtime is still busy with.
struct Timeout {
  static constexpr std::string_view kAllowed = "a duration from 5m to 24h";
  static std::optional<base::Duration> Read(const YamlNode& node);
  static std::string Write(base::Duration timeout);
};

struct Count {
  static constexpr std::string_view kAllowed = "a whole number 1-1000000";
  static std::optional<std::size_t> Read(const YamlNode& node);
  static std::string Write(std::size_t count);
};

struct InFlight {
  static constexpr std::string_view kAllowed = "a whole number 1-64";
  static std::optional<int> Read(const YamlNode& node);
  static std::string Write(int count);
};

struct Share {
  static constexpr std::string_view kAllowed = "a whole number 1-100";
  static std::optional<base::Percent> Read(const YamlNode& node);
  static std::string Write(base::Percent share);
};

// More than no bytes; nullopt is "none".
struct Size {
  static constexpr std::string_view kAllowed = "a size such as 20Gi or 500Mi, or none";
  static std::optional<std::optional<base::Bytes>> Read(const YamlNode& node);
  static std::string Write(const std::optional<base::Bytes>& size);
};

// Empty means that it is to be found.
struct Endpoint {
  static constexpr std::string_view kAllowed =
      "a socket such as unix:///run/containerd/containerd.sock";
  static std::optional<std::string> Read(const YamlNode& node);
  static std::string Write(const std::string& endpoint);
};

struct Directory {
  static constexpr std::string_view kAllowed = "an absolute path";
  static std::optional<std::string> Read(const YamlNode& node);
  static std::string Write(const std::string& path);
};

// 0 to 1000000; 0 is off.
struct Number {
  static constexpr std::string_view kAllowed = "a whole number 0-1000000";
  static std::optional<std::size_t> Read(const YamlNode& node);
  static std::string Write(std::size_t number);
};

struct PolicyWord {
  static constexpr std::string_view kAllowed = "reuse, idle, lru or bytes";
  static std::optional<image::RemovalPolicy> Read(const YamlNode& node);
  static std::string Write(image::RemovalPolicy policy);
};

struct ModeWord {
  static constexpr std::string_view kAllowed = "observe or enforce";
  static std::optional<Mode> Read(const YamlNode& node);
  static std::string Write(Mode mode);
};

struct GuardWord {
  static constexpr std::string_view kAllowed = "auto, on or off";
  static std::optional<GuardMode> Read(const YamlNode& node);
  static std::string Write(GuardMode mode);
};

// Whether what is dead is removed.
struct DeadWord {
  static constexpr std::string_view kAllowed = "report or remove";
  static std::optional<bool> Read(const YamlNode& node);
  static std::string Write(bool remove);
};

// The kubelet writes "any number" as -1; nullopt here.
struct Limit {
  static constexpr std::string_view kAllowed = "a whole number 0-1000000, or -1 for any number";
  static std::optional<std::optional<std::size_t>> Read(const YamlNode& node);
  static std::string Write(const std::optional<std::size_t>& most);
};

}  // namespace ebb::config
