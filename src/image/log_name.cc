#include "image/log_name.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ebb::image {
namespace {

bool IsHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

// A UUID, or the digits of a static pod's hash.
bool LooksLikeUid(std::string_view text) {
  constexpr std::size_t kHash = 32;
  constexpr std::size_t kUuid = 36;
  if (text.size() == kHash) return std::ranges::all_of(text, IsHex);
  if (text.size() != kUuid) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsHex(text[i])) return false;
  }
  return true;
}

// Exactly three parts, none of them empty. No part has a '_' of its own.
std::optional<std::array<std::string_view, 3>> Parts(std::string_view name) {
  const std::size_t first = name.find('_');
  const std::size_t second = name.find('_', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::array parts = {name.substr(0, first), name.substr(first + 1, second - first - 1),
                            name.substr(second + 1)};
  const bool good = std::ranges::none_of(parts, &std::string_view::empty) &&
                    parts[2].find('_') == std::string_view::npos;
  return good ? std::optional(parts) : std::nullopt;
}

}  // namespace

PodOfLog ParseLogDirectory(std::string_view name) {
  if (LooksLikeUid(name)) return {.pod_namespace = {}, .name = {}, .uid = std::string(name)};
  const auto parts = Parts(name);
  if (!parts) return {};
  return {std::string((*parts)[0]), std::string((*parts)[1]), std::string((*parts)[2])};
}

LinkedLog ParseLogLink(std::string_view name) {
  constexpr std::string_view kSuffix = ".log";
  if (!name.ends_with(kSuffix)) return {};
  name.remove_suffix(kSuffix.size());
  const auto parts = Parts(name);
  if (!parts) return {};
  const std::string_view last = (*parts)[2];
  const std::size_t dash = last.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == last.size()) return {};
  return {.pod_namespace = std::string((*parts)[1]),
          .pod_name = std::string((*parts)[0]),
          .container = std::string(last.substr(0, dash)),
          .container_id = std::string(last.substr(dash + 1))};
}

}  // namespace ebb::image
