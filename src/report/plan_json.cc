#include "report/plan_json.h"

#include "image/classes.h"
#include "report/words.h"

namespace ebb::report {

void AddPlanHead(JsonObject& object, const image::Observation& seen, const image::Plan& plan) {
  const image::Filesystem* filesystem = image::ImageFilesystem(seen, plan);
  object["target"] = ToJson(plan.target);
  object["marks"] = ToJson(plan.marks);
  object["filesystem"] = filesystem == nullptr ? Json(nullptr) : Json(ToJson(*filesystem));
  object["needBytes"] = plan.need.count;
  object["conclusion"] = Code(plan.conclusion);
  object["predictedBytes"] = plan.predicted.count;
  object["reserve"] = plan.reserve;
  object["notes"] = ToJson(plan.notes);
}

Json PlanDocument(const image::Observation& seen, const image::Policy& policy,
                  const image::Plan& plan) {
  JsonObject document = Document("Plan");
  document["takenAt"] = ToJson(seen.taken_at);
  AddPlanHead(document, seen, plan);
  document["refusal"] = OrNull(image::BeyondRadius(plan, seen, policy.radius));
  JsonArray removals;
  JsonArray kept;
  for (const image::Verdict& verdict : plan.verdicts) {
    (verdict.remove ? removals : kept).push_back(ToJson(seen, verdict));
  }
  document["removals"] = std::move(removals);
  document["kept"] = std::move(kept);
  AddTrust(document, seen);
  return document;
}

}  // namespace ebb::report
