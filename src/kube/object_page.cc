#include "kube/object_page.h"

#include <array>

#include "base/text.h"
#include "kube/object_json.h"

namespace ebb::kube {
namespace {

constexpr auto kKeys = std::to_array<std::string_view>(
    {"kind", "items", "metadata", "continue", "namespace", "name", "uid", "deletionTimestamp",
     "finalizers", "ownerReferences", "apiVersion", "controller", "blockOwnerDeletion"});

base::Error Wrong(const std::string& what) {
  return {base::ErrorCode::kInternal, base::OneLine(what)};
}

}  // namespace

base::Result<ObjectPage> ParseObjectPage(std::string_view json) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return document.error();
  Fields list(*document, "");
  const std::string kind = list.Text("kind");
  if (list.problem().empty() && !kind.ends_with("List")) {
    return Wrong("it is no list but '" + kind + "'");
  }
  ObjectPage page;
  Fields metadata = list.Object("metadata");
  page.next = metadata.Text("continue");
  list.Adopt(metadata);
  list.ForEach("items", [&](Fields& item) {
    graph::Object object = ReadObject(item);
    object.id.api_version.clear();
    object.id.kind.clear();
    if (!object.id.uid.empty()) page.objects.push_back(std::move(object));
  });
  if (!list.problem().empty()) return Wrong(list.problem());
  return page;
}

base::Result<graph::Object> ParseObject(std::string_view json) {
  const auto document = ReadJson(json, kKeys);
  if (!document.ok()) return document.error();
  Fields fields(*document, "");
  graph::Object object = ReadObject(fields);
  if (!fields.problem().empty()) return Wrong(fields.problem());
  if (object.id.uid.empty()) return Wrong("it is no object: it has no UID");
  return object;
}

}  // namespace ebb::kube
