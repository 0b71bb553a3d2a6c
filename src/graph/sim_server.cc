#include "graph/sim_server.h"

#include <algorithm>

#include "graph/api_version.h"

namespace ebb::graph {
namespace {

// What is asked for, else what the object's finalizers say, else what its type does.
std::optional<Policy> PolicyFor(const Object& object, const DeleteOptions& options) {
  const auto by_type = DefaultPolicy(object.id.api_version, object.id.kind);
  if (!by_type || options.policy) return by_type ? options.policy : std::nullopt;
  if (object.Has(kOrphanFinalizer)) return Policy::kOrphan;
  if (object.Has(kForegroundFinalizer)) return Policy::kForeground;
  return by_type;
}

void SetFinalizers(Object& object, std::optional<Policy> policy) {
  if (!policy) return;
  const auto set = [&](std::string_view finalizer, bool wanted) {
    if (!wanted) std::erase(object.finalizers, finalizer);
    if (wanted && !object.Has(finalizer)) object.finalizers.emplace_back(finalizer);
  };
  set(kOrphanFinalizer, *policy == Policy::kOrphan);
  set(kForegroundFinalizer, *policy == Policy::kForeground);
}

}  // namespace

std::optional<Policy> DefaultPolicy(const std::string& api_version, const std::string& kind) {
  if (kind == "Event" && (api_version == "v1" || api_version.starts_with("events.k8s.io/"))) {
    return std::nullopt;
  }
  const bool orphans = (api_version == "v1" && kind == "ReplicationController") ||
                       (api_version == "batch/v1" && kind == "Job") ||
                       (api_version == "batch/v1beta1" && kind == "CronJob");
  return orphans ? Policy::kOrphan : Policy::kBackground;
}

std::optional<bool> SimServer::IsNamespaced(const std::string& api_version,
                                            const std::string& kind) {
  return kinds_.IsNamespaced(api_version, kind);
}

SimServer::Key SimServer::KeyOf(const Coordinates& id) const {
  return {std::string(GroupOf(id.api_version)), id.kind, id.ns, id.name};
}

void SimServer::Put(Object object) {
  const auto at = objects_.try_emplace(KeyOf(object.id)).first;
  Store(at, std::move(object));
}

void SimServer::Erase(const Coordinates& id) {
  if (const auto at = Find(id); at != objects_.end()) Drop(at);
}

void SimServer::Store(Place at, Object object) {
  object.resource_version = std::to_string(++version_);
  at->second = std::move(object);
  tell({.type = Event::Type::kChanged, .object = at->second});
}

void SimServer::Drop(Place at) {
  ++version_;
  const Event event{.type = Event::Type::kDeleted, .object = std::move(at->second)};
  objects_.erase(at);
  tell(event);
}

// A 404 for a path that is not served proves nothing.
Found SimServer::Get(const Coordinates& id) {
  if (!IsNamespaced(id.api_version, id.kind)) return {};
  const auto at = Find(id);
  if (at == objects_.end()) return {.answer = Answer::kNotFound};
  return {.answer = Answer::kDone, .object = at->second};
}

Answer SimServer::Delete(const Coordinates& id, const DeleteOptions& options) {
  const auto at = Find(id);
  if (at == objects_.end()) return Answer::kNotFound;
  Object object = at->second;
  if (!options.uid.empty() && options.uid != object.id.uid) return Answer::kConflict;
  const std::string& version = options.resource_version;
  if (!version.empty() && version != object.resource_version) return Answer::kConflict;
  const auto before = object.finalizers;
  SetFinalizers(object, PolicyFor(object, options));
  if (object.finalizers.empty()) {
    Drop(at);
  } else if (!object.deleting || before != object.finalizers) {
    object.deleting = true;
    Store(at, std::move(object));
  }
  return Answer::kDone;
}

Answer SimServer::Change(const Coordinates& id, const Patch& patch) {
  const auto at = Find(id);
  if (at == objects_.end()) return Answer::kNotFound;
  Object object = at->second;
  if (patch.uid != object.id.uid) return Answer::kConflict;
  if (patch.resource_version != object.resource_version) return Answer::kConflict;
  const auto is_new = [&](const std::string& finalizer) { return !object.Has(finalizer); };
  if (patch.finalizers && object.deleting && std::ranges::any_of(*patch.finalizers, is_new)) {
    return Answer::kFailed;
  }
  if (patch.owners) object.owners = *patch.owners;
  if (patch.finalizers) object.finalizers = *patch.finalizers;
  if (object.owners == at->second.owners && object.finalizers == at->second.finalizers) {
    return Answer::kDone;
  }
  Store(at, std::move(object));
  if (at->second.deleting && at->second.finalizers.empty()) Drop(at);
  return Answer::kDone;
}

std::vector<Object> SimServer::All() const {
  std::vector<Object> all;
  all.reserve(objects_.size());
  for (const auto& [key, object] : objects_) all.push_back(object);
  return all;
}

}  // namespace ebb::graph
