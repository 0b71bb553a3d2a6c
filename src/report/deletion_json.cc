#include "report/deletion.h"
#include "report/json.h"

namespace ebb::report {
namespace {

JsonObject ToJson(const graph::Coordinates& id) {
  return {{"apiVersion", id.api_version},
          {"kind", id.kind},
          {"namespace", OrNull(id.ns)},
          {"name", id.name},
          {"uid", id.uid}};
}

JsonArray ToJson(const std::vector<graph::Coordinates>& objects) {
  JsonArray list;
  list.reserve(objects.size());
  for (const graph::Coordinates& object : objects) list.push_back(ToJson(object));
  return list;
}

}  // namespace

std::string DeletionDocument(const Deletion& deletion, Format format) {
  JsonObject document = Document("DeletionPreview");
  document["policy"] = OrNull(deletion.policy ? graph::Code(*deletion.policy) : "");
  document["allKindsRead"] = !deletion.partial;
  JsonArray& objects = document["objects"].emplace_array();
  for (std::size_t i = 0; i < deletion.outcomes.size(); ++i) {
    const graph::Outcome& outcome = deletion.outcomes[i];
    JsonObject object = ToJson(outcome.object.id);
    object["target"] = i < deletion.targets;
    object["fate"] = graph::Code(outcome.fate);
    object["step"] = outcome.wave == 0 ? Json(nullptr) : Json(outcome.wave);
    object["blocksOwner"] = outcome.blocks;
    object["reachedBy"] = ToJson(outcome.owners);
    object["keptBy"] = ToJson(outcome.kept_by);
    object["finalizers"] = report::ToJson(outcome.finalizers);
    object["waitsFor"] = ToJson(outcome.waits_for);
    objects.push_back(std::move(object));
  }
  return Write(document, format);
}

}  // namespace ebb::report
