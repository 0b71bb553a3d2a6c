#include "graph/kinds.h"

#include "graph/api_version.h"

namespace ebb::graph {
namespace {

// "Policy": "policies", "Ingress": "ingresses", "Pod": "pods".
std::string Plural(std::string_view kind) {
  std::string plural;
  for (const char c : kind) plural += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto ends = [&](std::string_view end) { return plural.ends_with(end); };
  if (ends("y") && !ends("ay") && !ends("ey") && !ends("oy")) {
    plural.replace(plural.size() - 1, 1, "ies");
  } else if (kind != "Endpoints") {
    plural += ends("s") || ends("x") || ends("ch") || ends("sh") ? "es" : "s";
  }
  return plural;
}

}  // namespace

void Kinds::Serve(const std::string& api_version, const std::string& kind, bool namespaced,
                  std::string resource) {
  if (resource.empty()) resource = Plural(kind);
  served_[{api_version, kind}] = {namespaced, std::move(resource)};
}

void Kinds::SetUnread(std::string_view group, std::string_view kind) {
  unread_.emplace(group, kind);
}

bool Kinds::IsUnread(std::string_view api_version, std::string_view kind) const {
  const std::string group(GroupOf(api_version));
  return unread_.contains({group, std::string(kind)}) || unread_.contains({group, ""}) ||
         (partial_ && !VersionOf(group, kind));
}

std::optional<bool> Kinds::IsNamespaced(const std::string& api_version,
                                        const std::string& kind) const {
  if (!unread_.empty() && IsUnread(api_version, kind)) return std::nullopt;
  auto served = served_.find({api_version, kind});
  if (served == served_.end() && partial_) {
    const auto other = VersionOf(GroupOf(api_version), kind);
    if (other) served = served_.find({*other, kind});
  }
  return served == served_.end() ? std::nullopt : std::optional(served->second.namespaced);
}

std::optional<std::string> Kinds::VersionOf(std::string_view group, std::string_view kind) const {
  for (const auto& [served, how] : served_) {
    if (served.second == kind && GroupOf(served.first) == group) return served.first;
  }
  return std::nullopt;
}

}  // namespace ebb::graph
