#include "report/guard.h"

#include <algorithm>

#include "report/json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Guarded;
using image::Observation;

std::string_view StateOf(const Observation& seen, const Guarded& guarded) {
  const auto at = std::ranges::find(seen.images, guarded.id, &image::Image::id);
  if (at == seen.images.end()) return "lost";
  if (at->pinned) return "prevented";
  return seen.guard_stands_by ? "repaired" : "exposed";
}

Json GuardDocument(const Observation& seen) {
  JsonObject document = Document("Guard");
  document["takenAt"] = ToJson(seen.taken_at);
  document["standsBy"] = seen.guard_stands_by;
  JsonArray& images = document["images"].emplace_array();
  for (const Guarded& guarded : seen.guarded) {
    images.push_back({{"id", guarded.id.value},
                      {"name", guarded.name},
                      {"reason", image::Code(guarded.reason)},
                      {"detail", guarded.detail},
                      {"state", StateOf(seen, guarded)}});
  }
  return document;
}

}  // namespace

std::string RenderGuard(const Observation& seen, const Style& style) {
  if (IsDocument(style)) return Write(GuardDocument(seen), style.format);
  std::string text;
  if (style.format == Format::kName) {
    for (const Guarded& guarded : seen.guarded) text += Clean(guarded.id.value) + "\n";
    return text;
  }
  if (seen.guarded.empty()) return "Nothing is guarded.\n";
  Table table({{"IMAGE"}, {"STATE"}, {"REASON"}, {"BY"}});
  for (const Guarded& guarded : seen.guarded) {
    table.Add({{Clean(guarded.name)},
               {std::string(StateOf(seen, guarded))},
               {std::string(image::Code(guarded.reason))},
               {Clean(guarded.detail)}});
  }
  return table.Render(style) + "\n" +
         (seen.guard_stands_by ? "A daemon stands by.\n"
                               : "No daemon stands by: what is removed stays removed.\n");
}

}  // namespace ebb::report
