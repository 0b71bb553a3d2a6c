#include "kube/object_reader.h"

#include <array>

#include "base/text.h"
#include "graph/api_version.h"
#include "kube/object_json.h"

namespace ebb::kube {
namespace {

constexpr std::string_view kList = "List";
constexpr auto kKeys = std::to_array<std::string_view>(
    {"apiVersion", "kind", "items", "metadata", "namespace", "name", "uid", "deletionTimestamp",
     "finalizers", "ownerReferences", "controller", "blockOwnerDeletion", "spec", "group", "names",
     "plural"});

base::Error Wrong(const std::string& what) {
  return {base::ErrorCode::kInternal, base::OneLine(what)};
}

// What has no UID never was in a cluster, and nobody can own it or be owned by it.
graph::Object ReadWhole(Fields& fields) {
  graph::Object object = ReadObject(fields);
  if (object.id.name.empty()) fields.Miss("metadata.name");
  if (object.id.uid.empty()) fields.Miss("metadata.uid, as every object of a cluster has");
  return object;
}

}  // namespace

std::span<const std::string_view> ObjectReader::Keys() {
  return kKeys;
}

base::Status ObjectReader::TakeItem(const Json& item) {
  return Read(item, "items[" + std::to_string(items_++) + "]");
}

base::Status ObjectReader::TakeDocument(const Json& document) {
  if (document.is_null()) return Wrong("it is null");
  Fields fields(document, "");
  const std::string kind = fields.Text("kind");
  const std::string api_version = fields.Text("apiVersion");
  if (!fields.problem().empty()) return Wrong(fields.problem());
  // A list of none is written as null, too.
  const bool list = document.get_object().contains("items") && kind.ends_with(kList);
  if (!list && items_ == 0) return Read(document, "");
  fields.ForEach("items", [&](Fields& item) { item.Miss("right to be here: it is no object"); });
  if (!fields.problem().empty()) return Wrong(fields.problem());
  items_ = 0;
  return NameItems(
      {api_version, kind.substr(0, kind.size() - std::min(kind.size(), kList.size()))});
}

base::Status ObjectReader::NameItems(const Kind& kind) {
  std::size_t at = 0;
  for (graph::Object& object : std::exchange(without_kind_, {})) {
    std::tie(object.id.api_version, object.id.kind) = kind;
    const auto kept = Keep(object, "items[" + std::to_string(at++) + "]");
    if (!kept.ok()) return kept;
  }
  return base::Done{};
}

base::Status ObjectReader::Read(const Json& json, const std::string& where) {
  Fields fields(json, where);
  graph::Object object = ReadWhole(fields);
  if (object.id.kind == "CustomResourceDefinition") LearnResource(fields);
  if (!fields.problem().empty()) return Wrong(fields.problem());
  if (object.id.kind.empty() && !where.empty()) {
    without_kind_.push_back(std::move(object));
    return base::Done{};
  }
  return Keep(object, where);
}

base::Status ObjectReader::Keep(const graph::Object& object, const std::string& where) {
  if (object.id.kind.empty() || object.id.api_version.empty()) {
    return Wrong((where.empty() ? "it" : where) + " has no kind and apiVersion");
  }
  namespaced_.try_emplace({object.id.api_version, object.id.kind}, !object.id.ns.empty());
  world_.Add(object);
  return base::Done{};
}

void ObjectReader::LearnResource(Fields& definition) {
  Fields spec = definition.Object("spec");
  Fields names = spec.Object("names");
  resources_[{spec.Text("group"), names.Text("kind")}] = names.Text("plural");
  spec.Adopt(names);
  definition.Adopt(spec);
}

graph::World ObjectReader::Take() {
  world_.kinds.SetPartial();
  for (const auto& [kind, namespaced] : namespaced_) {
    const auto resource = resources_.find({std::string(graph::GroupOf(kind.first)), kind.second});
    world_.kinds.Serve(kind.first, kind.second, namespaced,
                       resource == resources_.end() ? "" : resource->second);
  }
  return std::move(world_);
}

}  // namespace ebb::kube
