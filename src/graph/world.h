// A cluster as it was read: its objects and what kinds it serves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/object.h"

namespace ebb::graph {

// Which kinds are served, in which versions, and whether they are namespaced.
class Kinds {
 public:
  void Serve(const std::string& api_version, const std::string& kind, bool namespaced) {
    served_[{api_version, kind}] = namespaced;
  }
  // nullopt: not served, as far as is known.
  std::optional<bool> IsNamespaced(const std::string& api_version, const std::string& kind) const {
    const auto served = served_.find({api_version, kind});
    return served == served_.end() ? std::nullopt : std::optional(served->second);
  }

 private:
  std::map<std::pair<std::string, std::string>, bool> served_;
};

struct World {
  std::vector<Object> objects;
  Kinds kinds;
};

}  // namespace ebb::graph
