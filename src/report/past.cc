#include "report/past.h"

#include <algorithm>

#include "image/reason.h"
#include "report/json.h"
#include "report/text.h"

namespace ebb::report {
namespace {

std::string_view MeaningOf(std::string_view code) {
  const auto reasons = image::AllReasons();
  const auto known = std::ranges::find_if(
      reasons, [&](image::Reason reason) { return image::Code(reason) == code; });
  return known == reasons.end() ? std::string_view("a reason of another version")
                                : image::Meaning(*known);
}

Json ToDocument(const image::PastRemoval& past) {
  JsonObject document = Document("PastRemoval");
  document["time"] = ToJson(past.time);
  document["id"] = past.id.value;
  document["name"] = past.name;
  document["reason"] = past.reason;
  document["outcome"] = past.outcome;
  document["detail"] = OrNull(past.detail);
  document["predictedBytes"] = past.predicted.count;
  return document;
}

}  // namespace

std::string RenderPastRemoval(const image::PastRemoval& past, base::TimePoint now,
                              const Style& style) {
  if (IsDocument(style)) return Write(ToDocument(past), style.format);
  if (style.format == Format::kName) return past.id.value + "\n";
  std::string text =
      Clean(past.name) + " is not on this node: ebb removed it " +
      (now - past.time < std::chrono::seconds(1) ? "a moment ago"
                                                 : base::FormatAge(now - past.time) + " ago") +
      ".\n\n";
  text += Line(style, "reason", past.reason + ": " + std::string(MeaningOf(past.reason)));
  text += Line(style, "outcome", past.outcome);
  if (!past.detail.empty()) text += Line(style, "detail", Clean(past.detail));
  text += Line(style, "removed", base::FormatTime(past.time));
  text += Line(style, "predicted", base::FormatBytes(past.predicted) + " to come free");
  text += Line(style, "id", past.id.value);
  return text;
}

}  // namespace ebb::report
