#include "report/images.h"

#include <array>

#include "base/text.h"
#include "report/filter.h"
#include "report/json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Image;
using image::Observation;
using image::Plan;
using image::Verdict;

Color ColorOf(const Verdict& verdict) {
  if (verdict.remove) return Color::kYellow;
  return image::TierOf(verdict.reason) == image::Tier::kFree ? Color::kPlain : Color::kGreen;
}

std::vector<Cell> Row(const Observation& seen, const Verdict& verdict, const Style& style) {
  const Image& image = seen.images[verdict.image];
  const std::array alone{verdict.image};
  std::vector<Cell> row = {{ShortName(image::DisplayName(image), style)},
                           {ShortId(image.id.value, style)},
                           {base::FormatBytes(image.size)},
                           {base::FormatBytes(seen.store.Freed(alone))},
                           {Ago(image.usage.last_used, seen.taken_at)},
                           {Ago(image.usage.first_seen, seen.taken_at)},
                           {std::string(image::Code(image::TierOf(verdict.reason)))},
                           {std::string(image::Code(verdict.reason)), ColorOf(verdict)}};
  if (style.format == Format::kWide) {
    row.push_back({std::to_string(image.digests.size())});
    row.push_back({std::to_string(image.usage.starts)});
    row.push_back({std::to_string(image.usage.pulls)});
    row.push_back({verdict.detail});
  }
  return row;
}

std::string RenderTable(const Observation& seen, const std::vector<Verdict>& verdicts,
                        const Style& style) {
  std::vector<Column> columns = {{"IMAGE", Align::kLeft, Cut::kKeepTail},
                                 {"ID", Align::kLeft, Cut::kDrop},
                                 {"SIZE", Align::kRight},
                                 {"FREES", Align::kRight},
                                 {"LAST USED", Align::kRight},
                                 {"SEEN", Align::kRight, Cut::kDrop},
                                 {"TIER"},
                                 {"REASON"}};
  if (style.format == Format::kWide) {
    for (const char* title : {"DIGESTS", "STARTS", "PULLS"}) {
      columns.push_back({title, Align::kRight});
    }
    columns.push_back({"DETAIL", Align::kLeft, Cut::kKeepHead});
  }
  Table table(std::move(columns));
  for (const Verdict& verdict : verdicts) table.Add(Row(seen, verdict, style));
  return table.Render(style);
}

std::string RenderDocument(const Observation& seen, const std::vector<Verdict>& verdicts,
                           const Style& style) {
  JsonObject document = Document("ImageList");
  document["takenAt"] = ToJson(seen.taken_at);
  JsonArray& items = document["items"].emplace_array();
  for (const Verdict& verdict : verdicts) items.push_back(ToJson(seen, verdict));
  AddTrust(document, seen);
  return Write(document, style.format);
}

// Leaves what all filters keep. Returns a sentence if that is nothing.
std::string ApplyFilters(const Observation& seen, const std::vector<Filter>& filters,
                         std::vector<Verdict>& verdicts) {
  if (verdicts.empty()) return "the runtime lists no images";
  for (const Filter& filter : filters) {
    const std::size_t before = verdicts.size();
    std::erase_if(verdicts, [&](const Verdict& verdict) { return !filter.keeps(seen, verdict); });
    if (verdicts.empty()) {
      return "no image is left: filter '" + Clean(filter.text) + "' excludes the last " +
             std::to_string(before) + " of " + base::Count(seen.images.size(), "image");
    }
  }
  return {};
}

}  // namespace

base::Result<ImagesText> RenderImages(const Observation& seen, const image::Policy& /*policy*/,
                                      const Plan& plan, const ImagesOptions& options,
                                      const Style& style) {
  std::vector<Filter> filters;
  for (const std::string& text : options.filters) {
    auto filter = ParseFilter(text);
    if (!filter.ok()) return filter.error();
    filters.push_back(std::move(*filter));
  }
  std::vector<Verdict> verdicts = plan.verdicts;
  if (auto sorted = SortVerdicts(seen, options.sort_by, verdicts); !sorted.ok()) {
    return sorted.error();
  }
  ImagesText result;
  result.note = ApplyFilters(seen, filters, verdicts);
  if (IsDocument(style)) {
    result.text = RenderDocument(seen, verdicts, style);
  } else if (style.format == Format::kName) {
    for (const Verdict& verdict : verdicts) {
      result.text += Clean(seen.images[verdict.image].id.value) + "\n";
    }
  } else {
    result.text = RenderTable(seen, verdicts, style);
  }
  return result;
}

}  // namespace ebb::report
