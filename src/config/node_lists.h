// The keys whose value is a list, and the message for values of any key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/node_config.h"
#include "config/yaml.h"

namespace ebb::config {

// "'abc' is not allowed: <allowed>".
ValueProblem NotAllowed(const YamlNode& node, std::string_view allowed, std::string where = "");

// `protect`: patterns, or maps {pattern: ...} to which later versions may add.
std::optional<ValueProblem> ReadProtect(const YamlNode& node, NodeConfig& config);
std::string WriteProtect(const NodeConfig& config);

// `unusedFor`: maps {pattern: ..., age: ...}.
std::optional<ValueProblem> ReadUnusedFor(const YamlNode& node, NodeConfig& config);
std::string WriteUnusedFor(const NodeConfig& config);

// `sandboxImages`: references.
std::optional<ValueProblem> ReadSandboxImages(const YamlNode& node, NodeConfig& config);
std::string WriteSandboxImages(const NodeConfig& config);

}  // namespace ebb::config
