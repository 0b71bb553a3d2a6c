#include "web/api_server.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/mutex.h"
#include "graph/api_version.h"
#include "http/target.h"
#include "kube/base64.h"
#include "web/api_objects.h"

namespace ebb::web {
namespace {

namespace json = boost::json;

constexpr const char* kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

std::string Answer(int status, const std::string& type, const std::string& body,
                   const std::string& headers = "") {
  return "HTTP/1.1 " + std::to_string(status) + " Word\r\nContent-Type: " + type + "\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string VersionOf(const std::string& api_version) {
  return api_version.substr(api_version.find('/') + 1);
}

// Of the group "" what stands below /api, else what stands below /apis.
bool IsBelow(const std::string& root, const std::string& api_version) {
  return (root == "/api") == graph::GroupOf(api_version).empty();
}

json::object Described(const ApiKind& kind) {
  json::array verbs{"get"};
  if (kind.lists) verbs.push_back("list");
  return {{"resource", kind.resource},
          {"responseKind", {{"group", ""}, {"version", ""}, {"kind", kind.kind}}},
          {"scope", kind.namespaced ? "Namespaced" : "Cluster"},
          {"verbs", std::move(verbs)},
          {"name", kind.resource},  // these two are of the older form
          {"kind", kind.kind},
          {"namespaced", kind.namespaced}};
}

class Handler {
 public:
  explicit Handler(std::shared_ptr<ApiState> state) : state_(std::move(state)) {}

  std::string Handle(const std::string& request) {
    const base::MutexLock lock(mutex_);
    const auto begin = request.find(' ') + 1;
    const std::string target = request.substr(begin, request.find(' ', begin) - begin);
    if (state_->fault) {
      if (auto instead = state_->fault(target)) return *instead;
    }
    const auto parsed = http::ParseTarget(target);
    if (parsed->path == "/api" || parsed->path == "/apis") return Root(parsed->path, request);
    for (const ApiKind& kind : state_->kinds) {
      if (auto answer = Of(kind, *parsed, request)) return *answer;
    }
    return Version(parsed->path);
  }

 private:
  std::string Root(const std::string& root, const std::string& request) const {
    const bool wanted = request.find("as=APIGroupDiscoveryList") != std::string::npos;
    if (state_->aggregated && wanted) return Answer(200, kAggregated, Groups(root));
    std::map<std::string, json::array> groups;
    for (const std::string& version : VersionsBelow(root)) {
      groups[std::string(graph::GroupOf(version))].push_back(
          json::object{{"groupVersion", version}});
    }
    if (root == "/api") {
      return Ok(json::serialize(json::object{{"kind", "APIVersions"}, {"versions", {"v1"}}}));
    }
    json::array list;
    for (auto& [name, versions] : groups) {
      json::object group{{"name", name}, {"preferredVersion", versions.front()}};
      group["versions"] = std::move(versions);
      list.push_back(std::move(group));
    }
    return Ok(json::serialize(json::object{{"kind", "APIGroupList"}, {"groups", std::move(list)}}));
  }

  std::vector<std::string> VersionsBelow(const std::string& root) const {
    std::vector<std::string> versions;
    const auto add = [&](const std::string& version) {
      if (IsBelow(root, version) && std::ranges::find(versions, version) == versions.end()) {
        versions.push_back(version);
      }
    };
    for (const ApiKind& kind : state_->kinds) add(kind.api_version);
    for (const std::string& version : state_->stale) add(version);
    return versions;
  }

  std::string Groups(const std::string& root) const {
    std::map<std::string, json::array> groups;
    for (const std::string& version : VersionsBelow(root)) {
      const bool stale = std::ranges::find(state_->stale, version) != state_->stale.end();
      groups[std::string(graph::GroupOf(version))].push_back(
          json::object{{"version", VersionOf(version)},
                       {"freshness", stale ? "Stale" : "Current"},
                       {"resources", ResourcesIn(version)}});
    }
    json::array items;
    for (auto& [name, versions] : groups) {
      items.push_back(
          json::object{{"metadata", {{"name", name}}}, {"versions", std::move(versions)}});
    }
    return json::serialize(
        json::object{{"kind", "APIGroupDiscoveryList"}, {"items", std::move(items)}});
  }

  json::array ResourcesIn(const std::string& version) const {
    json::array resources;
    for (const ApiKind& kind : state_->kinds) {
      if (kind.api_version == version) resources.push_back(Described(kind));
    }
    return resources;
  }

  std::string Version(const std::string& path) const {
    for (const std::string root : {"/api", "/apis"}) {
      for (const std::string& version : VersionsBelow(root)) {
        const bool stale = std::ranges::find(state_->stale, version) != state_->stale.end();
        if (path != root + "/" + version) continue;
        if (stale) return StatusAnswer(503, "ServiceUnavailable", "the server is down");
        json::array resources = ResourcesIn(version);
        resources.push_back(json::object{{"name", "pods/log"}, {"kind", "Pod"}});
        return Ok(json::serialize(json::object{{"kind", "APIResourceList"},
                                               {"groupVersion", version},
                                               {"resources", std::move(resources)}}));
      }
    }
    return Answer(404, "text/plain", "404 page not found\n");
  }

  // nullopt: the path is not of this kind.
  std::optional<std::string> Of(const ApiKind& kind, const http::Target& target,
                                const std::string& request) {
    const std::string root =
        (graph::GroupOf(kind.api_version).empty() ? "/api/" : "/apis/") + kind.api_version;
    std::string rest = target.path;
    if (!rest.starts_with(root + "/")) return std::nullopt;
    rest.erase(0, root.size() + 1);
    std::string ns;
    if (kind.namespaced && rest.starts_with("namespaces/")) {
      const auto end = rest.find('/', 11);
      if (end == std::string::npos) return std::nullopt;
      ns = rest.substr(11, end - 11);
      rest.erase(0, end + 1);
    }
    if (rest == kind.resource) return List(kind, ns, target, request);
    if (!rest.starts_with(kind.resource + "/")) return std::nullopt;
    const std::string name = rest.substr(kind.resource.size() + 1);
    if (name.find('/') != std::string::npos) return std::nullopt;
    return One(kind, ns, name);
  }

  std::string List(const ApiKind& kind, const std::string& ns, const http::Target& target,
                   const std::string& request) {
    std::vector<graph::Object> objects = state_->server.All();
    std::erase_if(objects, [&](const graph::Object& object) {
      return object.id.kind != kind.kind || (!ns.empty() && object.id.ns != ns) ||
             graph::GroupOf(object.id.api_version) != graph::GroupOf(kind.api_version);
    });
    const auto token = target.query.find("continue");
    const std::size_t begin = token == target.query.end() ? 0 : std::stoul(token->second);
    const std::size_t end = std::min(objects.size(), begin + state_->page);
    const std::string next = end < objects.size() ? std::to_string(end) : "";
    const std::span page(objects.begin() + static_cast<std::ptrdiff_t>(begin), end - begin);
    if (state_->protobuf && request.find("vnd.kubernetes.protobuf") != std::string::npos) {
      return Answer(200, "application/vnd.kubernetes.protobuf", ListAsProtobuf(page, next));
    }
    return Ok(ListAsJson(page, next));
  }

  std::string One(const ApiKind& kind, const std::string& ns, const std::string& name) {
    const auto found = state_->server.Get(
        {.api_version = kind.api_version, .kind = kind.kind, .ns = ns, .name = name, .uid = ""});
    if (found.answer == graph::Answer::kDone) return Ok(ObjectAsJson(found.object));
    return Status(
        404, json::serialize(json::object{{"kind", "Status"},
                                          {"reason", "NotFound"},
                                          {"details", {{"name", name}, {"kind", kind.resource}}}}));
  }

  base::Mutex mutex_;
  std::shared_ptr<ApiState> state_;
};

}  // namespace

std::string StatusAnswer(int code, const std::string& reason, const std::string& message,
                         const std::string& headers) {
  return Answer(code, "application/json",
                json::serialize(json::object{
                    {"kind", "Status"}, {"code", code}, {"reason", reason}, {"message", message}}),
                headers);
}

ApiState::ApiState() {
  for (const ApiKind& kind : std::vector<ApiKind>{{"v1", "Namespace", "namespaces", false},
                                                  {"v1", "Node", "nodes", false},
                                                  {"v1", "Pod", "pods"},
                                                  {"v1", "Secret", "secrets"},
                                                  {"v1", "Event", "events"},
                                                  {"v1", "Binding", "bindings", true, false},
                                                  {"apps/v1", "Deployment", "deployments"},
                                                  {"apps/v1", "ReplicaSet", "replicasets"}}) {
    Serve(kind);
  }
}

void ApiState::Serve(const ApiKind& kind) {
  kinds.push_back(kind);
  server.Serve(kind.api_version, kind.kind, kind.namespaced);
}

void ApiState::Put(graph::Object object) {
  server.Put(std::move(object));
}

ApiServer::ApiServer(std::shared_ptr<ApiState> state, const Authority& authority)
    : ca_(authority.certificate()),
      http_([handler = std::make_shared<Handler>(std::move(state))](
                const std::string& request) { return handler->Handle(request); },
            authority.Issue("IP:127.0.0.1")) {}

std::string ApiServer::Kubeconfig() const {
  return "{current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}], clusters: "
         "[{name: c, cluster: {server: '" +
         url() + "', certificate-authority-data: " + kube::EncodeBase64(ca_) +
         "}}], users: [{name: u, user: {token: secret-token}}]}";
}

}  // namespace ebb::web
