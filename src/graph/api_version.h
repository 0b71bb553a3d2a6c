// apiVersion, the group and version of a kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::graph {

// "apps" of "apps/v1"; empty for the core group.
std::string_view GroupOf(std::string_view api_version);

// How it must be written; nullopt where it may be right as it is. People write "core/v1" for "v1",
// and "/v1".
std::optional<std::string> RightApiVersion(std::string_view api_version);

}  // namespace ebb::graph
