#include "kube/live.h"

#include <atomic>
#include <map>
#include <optional>
#include <utility>

#include "graph/api_version.h"
#include "http/target.h"
#include "kube/discover.h"
#include "kube/in_order.h"
#include "kube/pages.h"

namespace ebb::kube {
namespace {

constexpr std::size_t kConnections = 6;

// What one thread has for the one that keeps the world: objects, or why there are none.
struct Part {
  std::vector<graph::Object> objects = {};
  std::optional<base::Error> problem = {};
  std::string remark = {};  // on what was read all the same
};

class Reader {
 public:
  Reader(Session& session, const std::string& ns) : session_(session), ns_(ns) {}

  base::Result<LiveCluster> Read() {
    auto discovery = Discover(session_);
    if (!discovery.ok()) return discovery.error();
    Learn(*discovery);
    resources_ = ToRead(*discovery);
    ReadLists();
    if (world().size() == 0 && first_) return *first_;
    ReadAbsentOwners(*discovery);
    if (silent_ > kMaxSilent) return *first_;
    return std::move(live_);
  }

 private:
  static constexpr std::size_t kMaxSilent = 3;  // lists without any answer, and we give up

  graph::World& world() { return live_.world; }

  void Learn(const Discovery& discovery) {
    for (const Resource& each : discovery.resources) {
      world().kinds.Serve(each.api_version, each.kind, each.namespaced, each.name);
    }
    for (const std::string& version : discovery.failed) {
      live_.unread.push_back(version + ": the server cannot say what it holds");
      world().kinds.SetUnread(graph::GroupOf(version), "");
    }
  }

  void ReadLists() {
    InOrder<Part>::Run(
        resources_.size(), kConnections,
        [&](std::size_t job, const auto& put) { ReadList(resources_[job], put); },
        [&](std::size_t job, Part part) { Keep(resources_[job], std::move(part)); });
  }

  // In threads of their own, like ReadOwner.
  template <class Put>
  void ReadList(const Resource& resource, const Put& put) {
    if (silent_ > kMaxSilent) return;
    const TakePage take = [&](std::vector<graph::Object>& page) {
      put({.objects = std::exchange(page, {})});
    };
    auto read = ReadPages(session_, PathOf(resource), take);
    const bool forbidden = !read.ok() && read.error().code == base::ErrorCode::kUnsupported;
    if (forbidden && resource.namespaced && !ns_.empty()) {
      const std::string remark = read.error().message;
      read = ReadPages(session_, PathOf(resource, ns_), take);
      if (read.ok()) put({.remark = "only of namespace " + ns_ + ": " + remark});
    }
    if (!read.ok()) put({.problem = read.error()});
  }

  void Keep(const Resource& resource, Part part) {
    for (graph::Object& object : part.objects) {
      object.id.api_version = resource.api_version;
      object.id.kind = resource.kind;
      AddOnce(object);
    }
    const std::string name = NameOf(resource);
    if (!part.remark.empty()) live_.unread.push_back(name + ": " + part.remark);
    if (!part.problem) return;
    if (world().kinds.IsUnread(resource.api_version, resource.kind)) return;
    live_.unread.push_back(name + ": " + part.problem->message);
    world().kinds.SetUnread(graph::GroupOf(resource.api_version), resource.kind);
    if (part.problem->code == base::ErrorCode::kUnavailable) ++silent_;
    if (!first_) first_ = std::move(part.problem);
  }

  // A list that was begun anew tells an object twice, and a kind that two groups serve is in both.
  void AddOnce(const graph::Object& object) {
    const auto twin = world().Find(object.id.uid);
    if (twin != graph::Graph::kNone) {
      const graph::Coordinates is = world().graph().IdentityOf(twin);
      if (is.kind == object.id.kind && is.ns == object.id.ns && is.name == object.id.name) return;
    }
    world().Add(object);
  }

  static std::string NameOf(const Resource& resource) {
    const auto group = graph::GroupOf(resource.api_version);
    return group.empty() ? resource.name : resource.name + "." + std::string(group);
  }

  // An owner that no list has, and where it would be.
  struct Wanted {
    Resource resource;
    std::string path;
  };

  std::vector<Wanted> AbsentOwners(const Discovery& discovery) {
    std::map<std::pair<std::string, std::string>, const Resource*> served;
    for (const Resource& each : discovery.resources) served[{each.api_version, each.kind}] = &each;
    std::map<std::string, Wanted> wanted;  // by path: many dependents share an owner
    const graph::Graph& graph = world().graph();
    for (const auto id : graph.All()) {
      for (const graph::OwnerReference& owner : graph.OwnersOf(id)) {
        if (world().Find(owner.uid) != graph::Graph::kNone) continue;
        const auto resource = served.find({owner.api_version, owner.kind});
        if (resource == served.end()) continue;
        Wanted one{*resource->second, PathTo(owner, *resource->second, graph.IdentityOf(id).ns)};
        if (!one.path.empty()) wanted.emplace(one.path, std::move(one));
      }
    }
    std::vector<Wanted> all;
    all.reserve(wanted.size());
    for (auto& [path, one] : wanted) all.push_back(std::move(one));
    return all;
  }

  // Empty: nobody needs to ask. Of its kind nothing is known, or it is in no namespace, which its
  // dependent is not either.
  std::string PathTo(const graph::OwnerReference& owner, const Resource& resource,
                     const std::string& ns) {
    const bool known = world().kinds.IsNamespaced(owner.api_version, owner.kind).has_value();
    if (!known || (resource.namespaced && ns.empty())) return "";
    return PathOf(resource, ns) + "/" + http::Escaped(owner.name);
  }

  void ReadAbsentOwners(const Discovery& discovery) {
    const auto wanted = AbsentOwners(discovery);
    InOrder<Part>::Run(
        wanted.size(), kConnections,
        [&](std::size_t job, const auto& put) { put(ReadOwner(wanted[job])); },
        [&](std::size_t job, Part part) { Keep(wanted[job].resource, std::move(part)); });
  }

  Part ReadOwner(const Wanted& wanted) {
    if (silent_ > kMaxSilent) return {};
    auto one = ReadOne(session_, wanted.path);
    Part part;
    if (!one.ok()) {
      part.problem = one.error();
    } else if (*one) {
      part.objects.push_back(std::move(**one));
    }
    return part;
  }

  Session& session_;
  const std::string& ns_;
  std::vector<Resource> resources_;
  LiveCluster live_;
  std::optional<base::Error> first_;  // problem
  std::atomic<std::size_t> silent_ = 0;
};

}  // namespace

base::Result<LiveCluster> ReadCluster(Session& session, const std::string& ns) {
  return Reader(session, ns).Read();
}

}  // namespace ebb::kube
