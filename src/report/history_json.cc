#include "report/history_json.h"

#include "base/percent.h"

namespace ebb::report {
namespace {

Json UsedPercent(const image::PastRun& run, base::Bytes available) {
  if (run.capacity.count <= 0) return nullptr;
  return base::UsedPercent(run.capacity, available).value;
}

std::string AsLine(std::string_view kind, const JsonObject& value) {
  JsonObject document = Document(kind);
  for (const auto& member : value) document.insert(member);
  return boost::json::serialize(document) + "\n";
}

}  // namespace

JsonObject ToJson(const image::PastRun& run) {
  return {{"run", run.number},
          {"started", ToJson(run.started)},
          {"finished", ToJson(run.finished)},
          {"trigger", run.trigger},
          {"ending", run.ending},
          {"problem", OrNull(run.problem)},
          {"mountpoint", OrNull(run.mountpoint)},
          {"capacityBytes", run.capacity.count},
          {"availableBeforeBytes", run.available_before.count},
          {"availableAfterBytes", run.available_after.count},
          {"usedBeforePercent", UsedPercent(run, run.available_before)},
          {"usedAfterPercent", UsedPercent(run, run.available_after)},
          {"needBytes", run.need.count},
          {"removed", run.removed},
          {"predictedBytes", run.predicted.count},
          {"measuredBytes", run.measured.count},
          {"batches", run.batches}};
}

JsonObject ToJson(const image::PastRemoval& removal) {
  return {{"run", removal.run},
          {"time", ToJson(removal.time)},
          {"id", removal.id.value},
          {"name", removal.name},
          {"reason", removal.reason},
          {"outcome", removal.outcome},
          {"detail", OrNull(removal.detail)},
          {"predictedBytes", removal.predicted.count},
          {"sizeBytes", removal.size.count > 0 ? Json(removal.size.count) : Json(nullptr)},
          {"firstSeen", ToJson(removal.first_seen)}};
}

JsonObject ToJson(const image::Regret& regret) {
  JsonObject object = ToJson(regret.removal);
  object["back"] = ToJson(regret.back);
  object["backAs"] = regret.back_as.value;
  object["sameImage"] = regret.same_image();
  return object;
}

JsonObject ToJson(const image::Sample& sample) {
  return {{"time", ToJson(sample.time)},
          {"capacityBytes", sample.capacity.count},
          {"availableBytes", sample.available.count},
          {"inodesFree", sample.inodes_free}};
}

std::string WriteRun(const image::PastRun& run, const std::vector<image::PastRemoval>& removals,
                     Format format) {
  JsonObject document = Document("Run");
  for (const auto& member : ToJson(run)) document.insert(member);
  JsonArray& items = document["removals"].emplace_array();
  items.reserve(removals.size());
  for (const image::PastRemoval& removal : removals) items.push_back(ToJson(removal));
  return Write(document, format);
}

std::string ExportLine(const image::PastRun& run) {
  return AsLine("Run", ToJson(run));
}

std::string ExportLine(const image::PastRemoval& removal) {
  return AsLine("Removal", ToJson(removal));
}

std::string ExportLine(std::string_view mountpoint, const image::Sample& sample) {
  JsonObject object{{"mountpoint", mountpoint}};
  for (const auto& member : ToJson(sample)) object.insert(member);
  return AsLine("Sample", object);
}

}  // namespace ebb::report
