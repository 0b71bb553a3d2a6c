#include "kube/object_json.h"

namespace ebb::kube {
namespace {

graph::OwnerReference ReadOwner(Fields& fields) {
  graph::OwnerReference owner{.api_version = fields.Text("apiVersion"),
                              .kind = fields.Text("kind"),
                              .name = fields.Text("name"),
                              .uid = fields.Text("uid")};
  if (owner.uid.empty()) fields.Miss("uid");
  if (fields.Has("blockOwnerDeletion")) owner.block = fields.Flag("blockOwnerDeletion");
  owner.controller = fields.Flag("controller");
  return owner;
}

}  // namespace

graph::Object ReadObject(Fields& fields) {
  graph::Object object;
  object.id.api_version = fields.Text("apiVersion");
  object.id.kind = fields.Text("kind");
  Fields metadata = fields.Object("metadata");
  object.id.ns = metadata.Text("namespace");
  object.id.name = metadata.Text("name");
  object.id.uid = metadata.Text("uid");
  object.deleting = metadata.Has("deletionTimestamp");
  object.finalizers = metadata.Texts("finalizers");
  metadata.ForEach("ownerReferences",
                   [&](Fields& owner) { object.owners.push_back(ReadOwner(owner)); });
  fields.Adopt(metadata);
  return object;
}

}  // namespace ebb::kube
