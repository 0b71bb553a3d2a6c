// What a collector asks of an API server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/object.h"

namespace ebb::graph {

enum class Policy { kOrphan, kBackground, kForeground };

// "Orphan", "Background", "Foreground", as propagationPolicy has it.
std::string_view Code(Policy policy);

struct DeleteOptions {
  std::optional<Policy> policy;  // nullopt: as the object's finalizers say, else its type's default
  std::string uid = {};          // preconditions; empty: none
  std::string resource_version = {};
};

// What is to become of one object's owner references and finalizers; refused with a conflict if the
// object is no longer at `resource_version`.
struct Patch {
  std::string uid;
  std::string resource_version;
  std::optional<std::vector<OwnerReference>> owners = {};
  std::optional<std::vector<std::string>> finalizers = {};
};

enum class Answer { kDone, kNotFound, kConflict, kFailed };

struct Found {
  Answer answer = Answer::kFailed;  // kNotFound only if it is proved: "no such path" is kFailed
  Object object = {};
};

class Server {
 public:
  virtual ~Server() = default;
  // nullopt: that version of that kind is not served.
  virtual std::optional<bool> IsNamespaced(const std::string& api_version,
                                           const std::string& kind) = 0;
  // By kind, namespace and name; whether it is the one meant shows its UID.
  virtual Found Get(const Coordinates& id) = 0;
  virtual Answer Delete(const Coordinates& id, const DeleteOptions& options) = 0;
  virtual Answer Change(const Coordinates& id, const Patch& patch) = 0;
};

}  // namespace ebb::graph
