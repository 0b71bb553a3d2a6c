#include "report/df.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "base/text.h"
#include "image/classes.h"
#include "image/holding.h"
#include "report/json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::ByteClasses;
using image::Observation;
using image::Plan;
using image::RootBytes;
using image::Verdict;

constexpr std::size_t kMost = 20;

struct Sheet {
  std::vector<const Verdict*> verdicts;  // largest exclusive bytes first
  std::vector<RootBytes> bytes;          // per image
  ByteClasses classes;
  base::Bytes reclaimable;
};

Sheet MakeSheet(const Observation& seen, const Plan& plan) {
  Sheet sheet{.bytes = image::BytesOfImages(seen), .classes = image::ClassifyBytes(seen, plan)};
  std::vector<std::size_t> free;
  for (const Verdict& verdict : plan.verdicts) {
    sheet.verdicts.push_back(&verdict);
    if (image::TierOf(verdict.reason) == image::Tier::kFree) free.push_back(verdict.image);
  }
  sheet.reclaimable = seen.store.Freed(free);
  std::ranges::sort(sheet.verdicts, {}, [&](const Verdict* verdict) {
    const RootBytes& bytes = sheet.bytes[verdict->image];
    return std::tuple(-bytes.exclusive.count, -bytes.held.count,
                      std::string_view(seen.images[verdict->image].id.value));
  });
  return sheet;
}

std::string ImageTable(const Observation& seen, const Sheet& sheet, const Style& style) {
  Table table({{"IMAGE", Align::kLeft, Cut::kKeepTail},
               {"REASON"},
               {"SIZE", Align::kRight},
               {"EXCLUSIVE", Align::kRight},
               {"SHARED", Align::kRight}});
  const bool all = style.format == Format::kWide || sheet.verdicts.size() <= kMost;
  const std::size_t shown = all ? sheet.verdicts.size() : kMost;
  for (std::size_t i = 0; i < shown; ++i) {
    const Verdict& verdict = *sheet.verdicts[i];
    const RootBytes& bytes = sheet.bytes[verdict.image];
    table.Add({{ShortName(image::DisplayName(seen.images[verdict.image]), style)},
               {std::string(image::Code(verdict.reason))},
               {base::FormatBytes(bytes.held)},
               {base::FormatBytes(bytes.exclusive)},
               {base::FormatBytes(bytes.held - bytes.exclusive)}});
  }
  if (!all) {
    table.AddRule("and " + base::Count(sheet.verdicts.size() - kMost, "image") + " more: -o wide");
  }
  return table.Render(style);
}

Json DfDocument(const Observation& seen, const Sheet& sheet) {
  JsonObject document = Document("DiskUsage");
  document["takenAt"] = ToJson(seen.taken_at);
  JsonArray& images = document["images"].emplace_array();
  for (const Verdict* verdict : sheet.verdicts) {
    const RootBytes& bytes = sheet.bytes[verdict->image];
    images.push_back({{"id", seen.images[verdict->image].id.value},
                      {"name", image::DisplayName(seen.images[verdict->image])},
                      {"reason", image::Code(verdict->reason)},
                      {"sizeBytes", bytes.held.count},
                      {"exclusiveBytes", bytes.exclusive.count},
                      {"sharedBytes", (bytes.held - bytes.exclusive).count}});
  }
  document["imageBytes"] = sheet.classes.total.count;
  document["reclaimableBytes"] = sheet.reclaimable.count;
  JsonArray& elsewhere = document["heldElsewhere"].emplace_array();
  for (const image::HeldElsewhere& held : sheet.classes.elsewhere) {
    elsewhere.push_back({{"by", HolderWords(held)},
                         {"namespace", held.space},
                         {"count", held.roots},
                         {"bytes", held.bytes.count}});
  }
  document["garbageBytes"] = sheet.classes.garbage.count;
  document["notImageBytes"] =
      sheet.classes.not_images ? Json(sheet.classes.not_images->count) : Json(nullptr);
  AddTrust(document, seen);
  return document;
}

std::string Totals(const Observation& seen, const Sheet& sheet, const Style& style) {
  const auto accounting = seen.store.accounting();
  std::string text =
      Line(style, "images",
           base::Count(seen.images.size(), "image") + " on " +
               Approximately(sheet.classes.total, accounting) + ", each byte counted once");
  text += Line(style, "reclaimable",
               Approximately(sheet.reclaimable, accounting) +
                   " if every unused image goes: shared layers go with their last image");
  for (const image::HeldElsewhere& held : sheet.classes.elsewhere) {
    text += Line(style, "others",
                 base::FormatBytes(held.bytes) + " kept by " + HolderWords(held) +
                     "; removing images frees none of it");
  }
  if (sheet.classes.garbage.count > 0) {
    text += Line(style, "garbage",
                 base::FormatBytes(sheet.classes.garbage) +
                     " kept by nothing; goes with the runtime's next collection");
  }
  if (sheet.classes.not_images) {
    text += Line(style, "not images",
                 base::FormatBytes(*sheet.classes.not_images) +
                     " used by logs, volumes, containers and the rest");
  }
  return text;
}

}  // namespace

std::string RenderDf(const Observation& seen, const Plan& plan, const Style& style) {
  const Sheet sheet = MakeSheet(seen, plan);
  if (IsDocument(style)) return Write(DfDocument(seen, sheet), style.format);
  std::string text;
  if (style.format == Format::kName) {
    for (const Verdict* verdict : sheet.verdicts) {
      text += Clean(seen.images[verdict->image].id.value) + "\n";
    }
    return text;
  }
  const std::string table = ImageTable(seen, sheet, style);
  if (!table.empty()) text += table + "\n";
  return text + Totals(seen, sheet, style) + TrustLines(seen, style);
}

}  // namespace ebb::report
