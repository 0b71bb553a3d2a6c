#include "report/plan_json.h"

#include "image/classes.h"
#include "image/kubelet_plan.h"
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
  object["policy"] = image::Code(plan.policy);
  object["overshootBytes"] = plan.overshoot.count;
  object["provedWithin"] = plan.proved_within ? Json(*plan.proved_within) : Json(nullptr);
  object["reserve"] = plan.reserve;
  object["notes"] = ToJson(plan.notes);
}

namespace {

JsonArray Families(const image::Plan& plan) {
  JsonArray families;
  for (const image::PlanFamily& family : plan.families) {
    families.push_back({{"label", family.label},
                        {"images", family.images},
                        {"freesBytes", family.frees.count},
                        {"cost", family.cost}});
  }
  return families;
}

// Null where the target is not about bytes of a measured disk.
Json Kubelet(const image::Observation& seen, const image::Policy& policy, const image::Plan& plan) {
  if (plan.need.count <= 0) return nullptr;
  const image::KubeletPlan kubelet = image::PlanOfKubelet(seen, plan.need, policy.min_seen_age);
  JsonArray ids;
  for (const std::size_t i : kubelet.images) ids.emplace_back(seen.images[i].id.value);
  return JsonObject{{"images", std::move(ids)},
                    {"believedBytes", kubelet.believed.count},
                    {"reallyFreesBytes", kubelet.real.count}};
}

}  // namespace

Json PlanDocument(const image::Observation& seen, const image::Policy& policy,
                  const image::Plan& plan) {
  JsonObject document = Document("Plan");
  document["takenAt"] = ToJson(seen.taken_at);
  AddPlanHead(document, seen, plan);
  document["refusal"] = OrNull(image::BeyondRadius(plan, seen, policy.radius));
  document["families"] = Families(plan);
  document["kubelet"] = Kubelet(seen, policy, plan);
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
