// Objects of a cluster, document by document, into a world.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/world.h"
#include "kube/json.h"

namespace ebb::kube {

class ObjectReader {
 public:
  // Every key on the way to a field of an object.
  static std::span<const std::string_view> Keys();

  // One item of a list whose document is not complete yet. Wrong types, or no UID: kInternal.
  base::Status TakeItem(const Json& item);
  // A single object, or a list; the items that were taken before it are its own.
  base::Status TakeDocument(const Json& document);

  // All that was taken. The kinds are those of which an object was seen.
  graph::World Take();

 private:
  using Kind = std::pair<std::string, std::string>;  // apiVersion or group, and kind

  base::Status Read(const Json& json, const std::string& where);
  base::Status NameItems(const Kind& kind);
  base::Status Keep(const graph::Object& object, const std::string& where);
  void LearnResource(Fields& definition);

  graph::World world_;
  std::map<Kind, bool> namespaced_;          // by apiVersion
  std::map<Kind, std::string> resources_;    // by group, as definitions tell
  std::vector<graph::Object> without_kind_;  // their list tells it at its end
  std::size_t items_ = 0;                    // of this document
};

}  // namespace ebb::kube
