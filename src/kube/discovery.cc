#include "kube/discovery.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "graph/api_version.h"
#include "http/target.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr auto kKeys = std::to_array<std::string_view>(
    {"kind", "items", "metadata", "name", "versions", "version", "freshness", "resources",
     "resource", "responseKind", "scope", "verbs", "groups", "preferredVersion", "groupVersion",
     "namespaced"});

base::Error Wrong(const std::string& what) {
  return {base::ErrorCode::kInternal, base::OneLine(what)};
}

base::Status Check(Fields& document, std::string_view wanted) {
  const std::string kind = document.Text("kind");
  if (!document.problem().empty()) return Wrong(document.problem());
  if (kind != wanted) return Wrong("it is no " + std::string(wanted) + " but '" + kind + "'");
  return base::Done{};
}

std::string Joined(const std::string& group, const std::string& version) {
  return group.empty() ? version : group + "/" + version;
}

bool Lists(Fields& resource) {
  const auto verbs = resource.Texts("verbs");
  return std::ranges::find(verbs, "list") != verbs.end();
}

void ReadVersion(Fields& version, const std::string& group, Discovery& to) {
  const std::string api_version = Joined(group, version.Text("version"));
  if (version.Text("freshness") == "Stale") return to.failed.push_back(api_version);
  version.ForEach("resources", [&](Fields& resource) {
    Fields kind = resource.Object("responseKind");
    Resource read{.api_version = api_version,
                  .kind = kind.Text("kind"),
                  .name = resource.Text("resource"),
                  .namespaced = resource.Text("scope") == "Namespaced",
                  .lists = Lists(resource)};
    resource.Adopt(kind);
    if (!read.kind.empty() && !read.name.empty()) to.resources.push_back(std::move(read));
  });
}

}  // namespace

base::Status ReadGroups(std::string_view json, Discovery& to) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return document.error();
  Fields list(*document, "");
  if (auto checked = Check(list, "APIGroupDiscoveryList"); !checked.ok()) return checked;
  list.ForEach("items", [&](Fields& item) {
    Fields metadata = item.Object("metadata");
    const std::string group = metadata.Text("name");
    item.Adopt(metadata);
    item.ForEach("versions", [&](Fields& version) { ReadVersion(version, group, to); });
  });
  if (!list.problem().empty()) return Wrong(list.problem());
  return base::Done{};
}

base::Result<std::vector<std::string>> ReadVersions(std::string_view json) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return document.error();
  Fields list(*document, "");
  if (list.Text("kind") == "APIVersions") {
    auto versions = list.Texts("versions");
    if (!list.problem().empty()) return Wrong(list.problem());
    return versions;
  }
  if (auto checked = Check(list, "APIGroupList"); !checked.ok()) return checked.error();
  std::vector<std::string> all;
  list.ForEach("groups", [&](Fields& group) {
    Fields preferred = group.Object("preferredVersion");
    const std::string first = preferred.Text("groupVersion");
    group.Adopt(preferred);
    if (!first.empty()) all.push_back(first);
    group.ForEach("versions", [&](Fields& version) {
      std::string each = version.Text("groupVersion");
      if (each != first) all.push_back(std::move(each));
    });
  });
  if (!list.problem().empty()) return Wrong(list.problem());
  return all;
}

base::Result<std::vector<Resource>> ReadResources(std::string_view json,
                                                  const std::string& api_version) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return document.error();
  Fields list(*document, "");
  if (auto checked = Check(list, "APIResourceList"); !checked.ok()) return checked.error();
  std::vector<Resource> resources;
  list.ForEach("resources", [&](Fields& resource) {
    Resource read{.api_version = api_version,
                  .kind = resource.Text("kind"),
                  .name = resource.Text("name"),
                  .namespaced = resource.Flag("namespaced"),
                  .lists = Lists(resource)};
    const bool part = read.name.find('/') != std::string::npos;  // "pods/log"
    if (!part && !read.kind.empty()) resources.push_back(std::move(read));
  });
  if (!list.problem().empty()) return Wrong(list.problem());
  return resources;
}

std::vector<Resource> ToRead(const Discovery& discovery) {
  std::set<std::pair<std::string, std::string>> seen;  // group and name
  std::vector<Resource> wanted;
  for (const Resource& resource : discovery.resources) {
    const std::string group(graph::GroupOf(resource.api_version));
    const bool event = resource.name == "events" && (group.empty() || group == "events.k8s.io");
    if (event || !seen.insert({group, resource.name}).second || !resource.lists) continue;
    wanted.push_back(resource);
  }
  return wanted;
}

std::string PathOf(const Resource& resource, std::string_view ns) {
  const bool core = resource.api_version.find('/') == std::string::npos;
  std::string path = (core ? "/api/" : "/apis/") + resource.api_version;
  if (resource.namespaced && !ns.empty()) path += "/namespaces/" + http::Escaped(ns);
  return path + "/" + resource.name;
}

}  // namespace ebb::kube
