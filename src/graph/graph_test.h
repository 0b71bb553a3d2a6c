// Objects in a few words, a cluster to put them in, and the invariant that holds after every step.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "graph/collector.h"
#include "graph/sim_server.h"

namespace ebb::graph {

// "uid-NAME" is the UID of NAME.
inline Object Pod(const std::string& name, const std::string& ns = "ns1") {
  return {.id = {"v1", "Pod", ns, name, "uid-" + name}};
}
inline Object Of(const std::string& api_version, const std::string& kind, const std::string& name,
                 const std::string& ns = "ns1") {
  return {.id = {api_version, kind, ns, name, "uid-" + name}};
}
inline OwnerReference To(const Object& owner, std::optional<bool> block = true) {
  return {.api_version = owner.id.api_version,
          .kind = owner.id.kind,
          .name = owner.id.name,
          .uid = owner.id.uid,
          .block = block};
}
inline Object OwnedBy(Object object, const std::vector<OwnerReference>& owners) {
  object.owners = owners;
  return object;
}

// d is a dependent of o exactly if d names o.
inline void ExpectInvariant(Graph& graph) {
  for (const Graph::Id id : graph.All()) {
    for (const Graph::Id dependent : graph.DependentsOf(id)) {
      EXPECT_FALSE(graph.ReferencesOf(dependent, id).empty());
    }
    for (const OwnerReference& owner : graph.OwnersOf(id)) {
      const Graph::Id at = graph.Find(owner.uid);
      if (at == Graph::kNone) continue;
      const auto dependents = graph.DependentsOf(at);
      EXPECT_NE(std::ranges::find(dependents, id), dependents.end());
    }
  }
}

// A server that tells its collector everything, at once, and what the collector asks of it.
class Cluster : public Server {
 public:
  Cluster() {
    for (const char* kind : {"Pod", "Secret", "ConfigMap", "ReplicationController"}) {
      server.Serve("v1", kind, true);
    }
    server.Serve("v1", "Node", false);
    for (const char* kind : {"Deployment", "ReplicaSet"}) server.Serve("apps/v1", kind, true);
    server.Serve("rbac.authorization.k8s.io/v1", "Role", true);
    server.Serve("rbac.authorization.k8s.io/v1beta1", "Role", true);
    server.tell = [this](const Event& event) { collector.Tell(event); };
  }

  // Everything that can be done is; what fails is tried three times in a row.
  void Settle() {
    int again = 0;
    for (bool work = true; work && again < 3;) {
      while (collector.TakeEvent()) ExpectInvariant(collector.knowledge().graph);
      const Attempt orphan = collector.TryOrphan();
      const Attempt attempt = collector.TryDelete();
      const bool failed = attempt == Attempt::kAgain || orphan == Attempt::kAgain;
      again = failed ? again + 1 : 0;
      work = attempt != Attempt::kIdle || orphan != Attempt::kIdle || collector.events() > 0;
    }
    while (collector.TakeEvent()) ExpectInvariant(collector.knowledge().graph);
  }
  bool Has(const Object& object) {
    const Found found = server.Get(object.id);
    return found.answer == Answer::kDone && found.object.id.uid == object.id.uid;
  }
  Object Now(const Object& object) { return server.Get(object.id).object; }
  void Delete(const Object& object, std::optional<Policy> policy) {
    EXPECT_EQ(server.Delete(object.id, {.policy = policy}), Answer::kDone);
  }

  // What the collector asked for since the last time, in words.
  std::vector<std::string> Calls() { return std::exchange(calls_, {}); }

  std::optional<bool> IsNamespaced(const std::string& api_version,
                                   const std::string& kind) override {
    return server.IsNamespaced(api_version, kind);
  }
  Found Get(const Coordinates& id) override {
    calls_.push_back("GET " + Words(id));
    return server.Get(id);
  }
  Answer Delete(const Coordinates& id, const DeleteOptions& options) override {
    calls_.push_back("DELETE " + Words(id) + " " + std::string(Code(*options.policy)));
    return server.Delete(id, options);
  }
  Answer Change(const Coordinates& id, const Patch& patch) override {
    calls_.push_back("PATCH " + Words(id));
    return server.Change(id, patch);
  }

  SimServer server;
  Collector collector{*this};

 private:
  static std::string Words(const Coordinates& id) {
    return id.kind + " " + (id.ns.empty() ? "" : id.ns + "/") + id.name;
  }
  std::vector<std::string> calls_;
};

}  // namespace ebb::graph
