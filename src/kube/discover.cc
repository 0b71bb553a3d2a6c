#include "kube/discover.h"

#include <array>
#include <iterator>
#include <utility>

namespace ebb::kube {
namespace {

constexpr const char* kAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
constexpr auto kRoots = std::to_array<const char*>({"/api", "/apis"});

bool IsAggregated(const http::Response& answer) {
  return answer.content_type.find("as=APIGroupDiscoveryList") != std::string::npos;
}

// A server of groups alone has no /api.
bool IsNone(const http::Response& answer) {
  return answer.status == 404;
}

base::Status ReadVersion(Session& session, const std::string& api_version, Discovery& to) {
  const bool core = api_version.find('/') == std::string::npos;
  const auto answer = session.Ask((core ? "/api/" : "/apis/") + api_version, "application/json");
  if (!answer.ok()) return answer.error();
  auto resources = ReadResources(answer->body, api_version);
  if (answer->status != 200 || !resources.ok()) {
    to.failed.push_back(api_version);
  } else {
    std::ranges::move(*resources, std::back_inserter(to.resources));
  }
  return base::Done{};
}

base::Result<Discovery> VersionByVersion(Session& session,
                                         const std::vector<http::Response>& roots) {
  Discovery discovery;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (IsNone(roots[i])) continue;
    http::Response root = roots[i];
    if (IsAggregated(root)) {  // the other one is not
      auto plain = session.Ask(kRoots.at(i), "application/json");
      if (!plain.ok()) return plain.error();
      root = std::move(*plain);
    }
    const auto versions = ReadVersions(root.body);
    if (!versions.ok()) return versions.error().In(session.server() + kRoots.at(i));
    for (const std::string& version : *versions) {
      if (auto read = ReadVersion(session, version, discovery); !read.ok()) return read.error();
    }
  }
  return discovery;
}

base::Result<Discovery> Aggregated(const Session& session,
                                   const std::vector<http::Response>& roots) {
  Discovery discovery;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (IsNone(roots[i])) continue;
    if (auto read = ReadGroups(roots[i].body, discovery); !read.ok()) {
      return read.error().In(session.server() + kRoots.at(i));
    }
  }
  return discovery;
}

}  // namespace

base::Result<Discovery> Discover(Session& session) {
  std::vector<http::Response> roots;
  bool aggregated = true;
  for (const char* root : kRoots) {
    auto answer = session.Ask(root, kAccept);
    if (!answer.ok()) return answer.error();
    if (answer->status != 200 && !IsNone(*answer)) return session.Refusal(*answer);
    aggregated = aggregated && (IsAggregated(*answer) || IsNone(*answer));
    roots.push_back(std::move(*answer));
  }
  if (IsNone(roots[0]) && IsNone(roots[1])) return session.Refusal(roots[0]);
  return aggregated ? Aggregated(session, roots) : VersionByVersion(session, roots);
}

}  // namespace ebb::kube
