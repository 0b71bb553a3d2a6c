#include "graph/api_version.h"

namespace ebb::graph {

std::string_view GroupOf(std::string_view api_version) {
  const auto slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

std::optional<std::string> RightApiVersion(std::string_view api_version) {
  const std::string_view group = GroupOf(api_version);
  const bool has_slash = api_version.find('/') != std::string_view::npos;
  if (!has_slash) return std::nullopt;
  if (group.empty() || group == "core") return std::string(api_version.substr(group.size() + 1));
  return std::nullopt;
}

}  // namespace ebb::graph
