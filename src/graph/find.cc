#include "graph/find.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "graph/api_version.h"

namespace ebb::graph {
namespace {

constexpr std::size_t kMostNamed = 3;

constexpr auto kShortNames = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"cj", "cronjob"},
     {"cm", "configmap"},
     {"crd", "customresourcedefinition"},
     {"deploy", "deployment"},
     {"ds", "daemonset"},
     {"ep", "endpoints"},
     {"hpa", "horizontalpodautoscaler"},
     {"ing", "ingress"},
     {"netpol", "networkpolicy"},
     {"no", "node"},
     {"ns", "namespace"},
     {"pdb", "poddisruptionbudget"},
     {"po", "pod"},
     {"pv", "persistentvolume"},
     {"pvc", "persistentvolumeclaim"},
     {"rc", "replicationcontroller"},
     {"rs", "replicaset"},
     {"sa", "serviceaccount"},
     {"sts", "statefulset"},
     {"svc", "service"}});

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// What stands before the slash.
class Wanted {
 public:
  explicit Wanted(std::string_view text) : kind_(Lower(text.substr(0, text.find('.')))) {
    if (text.contains('.')) group_ = text.substr(text.find('.') + 1);
    const auto full =
        std::ranges::find(kShortNames, kind_, &decltype(kShortNames)::value_type::first);
    if (full != kShortNames.end()) kind_ = full->second;
  }

  bool Fits(const Kinds& kinds, const Coordinates& id) const {
    if (!group_.empty() && group_ != GroupOf(id.api_version)) return false;
    return Lower(id.kind) == kind_ || kinds.ResourceOf(id.api_version, id.kind) == kind_;
  }

 private:
  std::string kind_;
  std::string_view group_;  // empty: any
};

base::Error Ambiguous(std::string_view text, const std::vector<Coordinates>& found) {
  std::string message(text);
  message += " is " + std::to_string(found.size()) + " objects: ";
  for (std::size_t i = 0; i < found.size() && i < kMostNamed; ++i) {
    message += (i == 0 ? "" : ", ") + NameOf(found[i]) + " (" + found[i].api_version + ")";
  }
  if (found.size() > kMostNamed) message += ", ...";
  return {base::ErrorCode::kUsage,
          message + "; name the namespace with -n or the group in the kind"};
}

}  // namespace

base::Result<Graph::Id> FindObject(const World& world, std::string_view text, std::string_view ns) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size()) {
    return base::Error{base::ErrorCode::kUsage,
                       std::string(text) + " is not KIND/NAME, for example deployment/web"};
  }
  const Wanted wanted(text.substr(0, slash));
  const std::string_view name = text.substr(slash + 1);
  std::vector<Graph::Id> ids;
  std::vector<Coordinates> found;
  for (const Graph::Id id : world.graph().All()) {
    Coordinates is = world.graph().IdentityOf(id);
    const bool there = ns.empty() || is.ns.empty() || is.ns == ns;
    if (is.name != name || !there || !wanted.Fits(world.kinds, is)) continue;
    ids.push_back(id);
    found.push_back(std::move(is));
  }
  if (found.size() > 1) return Ambiguous(text, found);
  if (found.empty()) {
    return base::Error{base::ErrorCode::kNotFound,
                       "there is no " + std::string(text) +
                           (ns.empty() ? "" : " in namespace " + std::string(ns))};
  }
  return ids.front();
}

}  // namespace ebb::graph
