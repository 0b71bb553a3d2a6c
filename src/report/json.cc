#include "report/json.h"

#include <array>
#include <chrono>
#include <cmath>

#include "image/fill_rate.h"
#include "report/words.h"
#include "report/yaml.h"

namespace ebb::report {
namespace {

void WriteValue(const Json& value, std::size_t indent, std::string& text);

// "{" or "[", one item per line, "}" or "]".
template <class Items, class WriteItem>
void WriteItems(const Items& items, std::string_view brackets, std::size_t indent,
                std::string& text, WriteItem write_item) {
  if (items.empty()) {
    text += brackets;
    return;
  }
  text += brackets[0];
  bool first = true;
  for (const auto& item : items) {
    text += first ? "\n" : ",\n";
    first = false;
    text.append(indent + 2, ' ');
    write_item(item);
  }
  text += '\n';
  text.append(indent, ' ') += brackets[1];
}

void WriteValue(const Json& value, std::size_t indent, std::string& text) {
  if (value.is_object()) {
    WriteItems(value.get_object(), "{}", indent, text, [&](const auto& member) {
      text += boost::json::serialize(member.key());
      text += ": ";
      WriteValue(member.value(), indent + 2, text);
    });
  } else if (value.is_array()) {
    WriteItems(value.get_array(), "[]", indent, text,
               [&](const Json& item) { WriteValue(item, indent + 2, text); });
  } else {
    text += boost::json::serialize(value);
  }
}

}  // namespace

Json OrNull(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

JsonObject Document(std::string_view kind) {
  return {{"apiVersion", "ebb/v1alpha1"}, {"kind", kind}};
}

Json ToJson(base::TimePoint time) {
  return time == base::kNever ? Json(nullptr) : Json(base::FormatTime(time));
}

JsonArray ToJson(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

JsonObject ToJson(const image::Runtime& runtime) {
  return {{"name", runtime.name}, {"version", runtime.version}, {"endpoint", runtime.endpoint}};
}

JsonObject ToJson(const image::Filesystem& filesystem) {
  JsonObject object{{"mountpoint", filesystem.mountpoint},
                    {"path", filesystem.path},
                    {"device", filesystem.device},
                    {"holdsImages", filesystem.holds_images},
                    {"holdsContainers", filesystem.holds_containers},
                    {"problem", OrNull(filesystem.problem)}};
  if (!filesystem.measured()) return object;
  object["capacityBytes"] = filesystem.capacity.count;
  object["availableBytes"] = filesystem.available.count;
  object["usedBytes"] = filesystem.used().count;
  object["usedPercent"] = image::UsedPercent(filesystem).value;
  object["inodes"] = filesystem.inodes;
  object["inodesFree"] = filesystem.inodes_free;
  if (!filesystem.bytes_per_second) return object;
  object["fillsBytesPerSecond"] = std::llround(*filesystem.bytes_per_second);
  const auto full = image::TimeToFill(filesystem.available, filesystem.bytes_per_second);
  if (full) object["fullInSeconds"] = std::chrono::round<std::chrono::seconds>(*full).count();
  return object;
}

JsonObject ToJson(const image::Marks& marks) {
  const Json kubelet = marks.kubelet_high ? Json(marks.kubelet_high->value) : Json(nullptr);
  return {{"lowPercent", marks.low.value},
          {"highPercent", marks.high.value},
          {"kubeletHighPercent", kubelet},
          {"criticalPercent", marks.critical.value},
          {"source", marks.source}};
}

JsonObject ToJson(const image::Target& target) {
  JsonObject object{{"kind", Code(target.kind)}};
  switch (target.kind) {
    case image::Target::Kind::kUsedPercent: object["usedPercent"] = target.percent.value; break;
    case image::Target::Kind::kFreeBytes: object["freeBytes"] = target.bytes.count; break;
    case image::Target::Kind::kUnusedFor:
      object["unusedFor"] = base::FormatDuration(target.age);
      break;
    case image::Target::Kind::kAvailable: object["availableBytes"] = target.bytes.count; break;
    case image::Target::Kind::kInodes: object["inodesFree"] = target.count; break;
    case image::Target::Kind::kImages: object["images"] = target.count; break;
    case image::Target::Kind::kMarks:
    case image::Target::Kind::kAllUnused: break;
  }
  return object;
}

JsonObject ToJson(const image::Image& image) {
  return {{"id", image.id.value},
          {"name", image::DisplayName(image)},
          {"tags", ToJson(image.tags)},
          {"digests", ToJson(image.digests)},
          {"sizeBytes", image.size.count},
          {"pinned", image.pinned},
          {"runtimeHandlers", ToJson(image.handlers)},
          {"firstSeen", ToJson(image.usage.first_seen)},
          {"lastUsed", ToJson(image.usage.last_used)},
          {"lastPulled", ToJson(image.usage.last_pulled)},
          {"starts", image.usage.starts},
          {"pulls", image.usage.pulls}};
}

JsonObject ToJson(const image::Observation& seen, const image::Verdict& verdict) {
  const std::array alone{verdict.image};
  JsonObject object = ToJson(seen.images.at(verdict.image));
  object["action"] = verdict.remove ? "remove" : "keep";
  object["tier"] = image::Code(image::TierOf(verdict.reason));
  object["reason"] = image::Code(verdict.reason);
  object["detail"] = verdict.detail;
  object["freesAloneBytes"] = seen.store.Freed(alone).count;
  if (verdict.remove) {
    object["freesBytes"] = verdict.frees.count;
    object["totalBytes"] = verdict.total.count;
    object["family"] = verdict.family ? Json(*verdict.family) : Json(nullptr);
  }
  object["supersededBy"] =
      verdict.superseded_by ? Json(seen.images.at(*verdict.superseded_by).id.value) : Json(nullptr);
  return object;
}

void AddTrust(JsonObject& document, const image::Observation& seen) {
  document["accounting"] = Code(seen.store.accounting());
  document["notChecked"] = ToJson(seen.not_checked);
  document["doubts"] = ToJson(seen.doubts);
  document["warnings"] = ToJson(seen.warnings);
}

std::string Write(const Json& document, Format format) {
  if (format == Format::kYaml) return WriteYaml(document);
  std::string text;
  WriteValue(document, 0, text);
  return text += '\n';
}

}  // namespace ebb::report
