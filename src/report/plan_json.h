// A plan as a document, and as a part of a report.
#pragma once

#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/json.h"

namespace ebb::report {

// target, marks, filesystem, needBytes, conclusion, predictedBytes, notes.
void AddPlanHead(JsonObject& object, const image::Observation& seen, const image::Plan& plan);

// The whole plan: every image once, in `removals` (in order) or in `kept`.
Json PlanDocument(const image::Observation& seen, const image::Policy& policy,
                  const image::Plan& plan);

}  // namespace ebb::report
