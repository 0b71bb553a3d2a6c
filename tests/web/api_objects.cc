#include "web/api_objects.h"

#include <boost/json.hpp>

#include "meta.pb.h"

namespace ebb::web {
namespace {

namespace json = boost::json;

json::object OwnerOf(const graph::OwnerReference& owner) {
  json::object object{{"apiVersion", owner.api_version},
                      {"kind", owner.kind},
                      {"name", owner.name},
                      {"uid", owner.uid}};
  if (owner.controller) object["controller"] = true;
  if (owner.block) object["blockOwnerDeletion"] = *owner.block;
  return object;
}

json::object Write(const graph::Object& object) {
  json::object metadata{{"name", object.id.name},
                        {"uid", object.id.uid},
                        {"resourceVersion", object.resource_version},
                        {"creationTimestamp", "2026-01-02T03:04:05Z"},
                        {"labels", {{"app", "x"}}}};
  if (!object.id.ns.empty()) metadata["namespace"] = object.id.ns;
  if (object.deleting) metadata["deletionTimestamp"] = "2026-01-02T03:04:06Z";
  if (!object.finalizers.empty()) metadata["finalizers"] = json::value_from(object.finalizers);
  json::array owners;
  for (const auto& owner : object.owners) owners.push_back(OwnerOf(owner));
  if (!owners.empty()) metadata["ownerReferences"] = std::move(owners);
  return {{"apiVersion", "meta.k8s.io/v1"},
          {"kind", "PartialObjectMetadata"},
          {"metadata", std::move(metadata)}};
}

void Write(const graph::Object& object, meta::ObjectMeta& metadata) {
  metadata.set_name(object.id.name);
  metadata.set_namespace_(object.id.ns);
  metadata.set_uid(object.id.uid);
  metadata.set_resource_version(object.resource_version);
  metadata.set_generation(7);
  metadata.mutable_creation_timestamp()->set_seconds(1'700'000'000);
  (*metadata.mutable_labels())["app"] = "x";
  if (object.deleting) metadata.mutable_deletion_timestamp()->set_seconds(1'700'000'001);
  for (const std::string& finalizer : object.finalizers) metadata.add_finalizers(finalizer);
  for (const auto& owner : object.owners) {
    meta::OwnerReference& reference = *metadata.add_owner_references();
    reference.set_api_version(owner.api_version);
    reference.set_kind(owner.kind);
    reference.set_name(owner.name);
    reference.set_uid(owner.uid);
    if (owner.controller) reference.set_controller(true);
    if (owner.block) reference.set_block_owner_deletion(*owner.block);
  }
}

}  // namespace

std::string ObjectAsJson(const graph::Object& object) {
  return json::serialize(Write(object));
}

std::string ListAsJson(std::span<const graph::Object> objects, const std::string& next) {
  json::array items;
  for (const auto& object : objects) items.push_back(Write(object));
  json::object metadata{{"resourceVersion", "9"}};
  if (!next.empty()) metadata["continue"] = next;
  return json::serialize(json::object{{"apiVersion", "meta.k8s.io/v1"},
                                      {"kind", "PartialObjectMetadataList"},
                                      {"metadata", std::move(metadata)},
                                      {"items", std::move(items)}});
}

std::string ListAsProtobuf(std::span<const graph::Object> objects, const std::string& next) {
  meta::PartialObjectMetadataList list;
  list.mutable_metadata()->set_resource_version("9");
  list.mutable_metadata()->set_continue_(next);
  for (const auto& object : objects) Write(object, *list.add_items()->mutable_metadata());
  meta::Unknown unknown;
  unknown.mutable_type_meta()->set_api_version("meta.k8s.io/v1");
  unknown.mutable_type_meta()->set_kind("PartialObjectMetadataList");
  unknown.set_raw(list.SerializeAsString());
  return std::string("k8s\0", 4) + unknown.SerializeAsString();
}

}  // namespace ebb::web
