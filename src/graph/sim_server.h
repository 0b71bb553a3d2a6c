// The API server as a state machine: what it does to objects when somebody deletes or changes one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/event.h"
#include "graph/server.h"
#include "graph/world.h"

namespace ebb::graph {

// As kube-apiserver (v1.36) as far as owners, finalizers and deletion go. Pods go at once, as those
// that were never scheduled do. Everything it does it also tells, as its watches would.
class SimServer : public Server {
 public:
  // Called with every change, in order.
  std::function<void(const Event&)> tell = [](const Event&) {};

  void SetKinds(Kinds kinds) { kinds_ = std::move(kinds); }
  void Serve(const std::string& api_version, const std::string& kind, bool namespaced) {
    kinds_.Serve(api_version, kind, namespaced);
  }
  // Creates the object, or puts it in the place of the one of that kind, namespace and name.
  void Put(Object object);
  // Takes it away, whatever keeps it.
  void Erase(const Coordinates& id);

  std::optional<bool> IsNamespaced(const std::string& api_version,
                                   const std::string& kind) override;
  Found Get(const Coordinates& id) override;
  Answer Delete(const Coordinates& id, const DeleteOptions& options) override;
  Answer Change(const Coordinates& id, const Patch& patch) override;

  std::vector<Object> All() const;
  std::size_t size() const { return objects_.size(); }
  // Grows with every change.
  std::int64_t version() const { return version_; }

 private:
  // One object, whatever version it is asked for in: group, kind, namespace, name.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  using Place = std::map<Key, Object>::iterator;

  Key KeyOf(const Coordinates& id) const;
  Place Find(const Coordinates& id) { return objects_.find(KeyOf(id)); }
  void Store(Place at, Object object);
  void Drop(Place at);

  Kinds kinds_;
  std::map<Key, Object> objects_;
  std::int64_t version_ = 0;
};

// What becomes of dependents if nobody says: types of old let go of them, and events have no say.
std::optional<Policy> DefaultPolicy(const std::string& api_version, const std::string& kind);

}  // namespace ebb::graph
