#include "report/collect.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/json.h"
#include "report/plan_json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Ending;
using image::Observation;
using image::Outcome;
using image::Removal;
using image::Report;

bool IsGone(const Removal& removal) {
  return removal.outcome == Outcome::kRemoved || removal.outcome == Outcome::kGone ||
         removal.outcome == Outcome::kRaced;
}

std::size_t CountGone(const Report& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.removals, IsGone));
}

std::string NameOf(const Observation& seen, const Removal& removal, const Style& style) {
  return Clean(ShortName(image::DisplayName(seen.images.at(removal.image)), style));
}

std::string EndingSentence(const Report& report) {
  switch (report.ending) {
    case Ending::kNothingToDo: return "nothing to do";
    case Ending::kReached: return "the target is reached";
    case Ending::kNotReached: return "the target is not reached, and nothing more may go";
    case Ending::kInterrupted: return "interrupted; what was begun was finished and recorded";
    case Ending::kStopped: return "stopped: " + Clean(report.problem);
  }
  return "";
}

Color ColorOf(Ending ending) {
  switch (ending) {
    case Ending::kNothingToDo:
    case Ending::kReached: return Color::kGreen;
    case Ending::kNotReached:
    case Ending::kInterrupted: return Color::kYellow;
    case Ending::kStopped: return Color::kRed;
  }
  return Color::kPlain;
}

std::string RemovedTable(const Observation& seen, const Report& report, const Style& style) {
  std::vector<Column> columns = {{"#", Align::kRight},
                                 {"REMOVED", Align::kLeft, Cut::kKeepTail},
                                 {"OUTCOME"},
                                 {"PREDICTED", Align::kRight}};
  const bool wide = style.format == Format::kWide;
  if (wide) columns.push_back({"ID"});
  if (wide) columns.push_back({"DETAIL", Align::kLeft, Cut::kKeepHead});
  Table table(std::move(columns));
  std::size_t number = 0;
  for (const Removal& removal : report.removals) {
    if (!IsGone(removal)) continue;
    const Color color = removal.outcome == Outcome::kRaced ? Color::kRed : Color::kPlain;
    std::vector<Cell> row = {{std::to_string(++number)},
                             {NameOf(seen, removal, style)},
                             {std::string(image::Code(removal.outcome)), color},
                             {base::FormatBytes(removal.predicted)}};
    if (wide) row.push_back({ShortId(seen.images[removal.image].id.value, style)});
    if (wide) row.push_back({removal.detail});
    table.Add(std::move(row));
  }
  return table.Render(style);
}

// What was not removed, or should not have been: the same trouble is one line.
std::string StayedLines(const Observation& seen, const Report& report, const Style& style) {
  std::map<std::pair<Outcome, std::string>, std::vector<std::string>> groups;
  for (const Removal& removal : report.removals) {
    const bool told = removal.outcome == Outcome::kRaced || !IsGone(removal);
    if (told) groups[{removal.outcome, removal.detail}].push_back(NameOf(seen, removal, style));
  }
  std::string text;
  constexpr std::size_t kMostNames = 5;
  const std::size_t most = style.format == Format::kWide ? report.removals.size() : kMostNames;
  for (const auto& [what, names] : groups) {
    std::string line = base::Count(names.size(), "image");
    if (!what.second.empty()) line += ", " + Clean(what.second);
    text += Line(style, image::Code(what.first), line + ": " + Listed(names, most));
  }
  return text;
}

// Predicted bytes stand beside measured ones, and how far the first can be believed.
std::string FreedSentence(const Report& report) {
  std::string text = base::FormatBytes(report.measured) + " measured, " +
                     base::FormatBytes(report.predicted) + " predicted";
  if (report.predicted.count <= 0) return text;
  const double share =
      static_cast<double>(report.measured.count) / static_cast<double>(report.predicted.count);
  return text + " (" + std::to_string(std::lround(100 * share)) + "%)";
}

// Exact bytes that did not come free are somebody's. A tolerance, for a disk is never quite still.
std::string ShortfallLine(const Observation& seen, const Report& report, const Style& style) {
  constexpr std::int64_t kTolerance = std::int64_t{1} << 20;
  const base::Bytes missing = report.predicted - report.measured;
  const bool exact = seen.store.accounting() == image::Accounting::kExact;
  if (!exact || missing.count < std::max(kTolerance, report.predicted.count / 100)) return "";
  return Line(style, "shortfall",
              base::FormatBytes(missing) +
                  " less than predicted: a holder that ebb cannot see keeps them (a file that is "
                  "still open), or something wrote to the disk meanwhile");
}

std::string DiskSentence(const Report& report) {
  if (!report.before.measured() || !report.after.measured()) return "not measured";
  return Text(image::UsedPercent(report.before)) + " → " + Text(image::UsedPercent(report.after)) +
         " used on " + Clean(report.after.mountpoint) + ", " +
         base::FormatBytes(report.after.available) + " available";
}

Json ReportDocument(const Observation& seen, const Report& report) {
  JsonObject document = Document("Report");
  document["started"] = ToJson(report.started);
  document["finished"] = ToJson(report.finished);
  document["ending"] = image::Code(report.ending);
  document["problem"] = OrNull(report.problem);
  document["batches"] = report.batches;
  document["removed"] = CountGone(report);
  document["predictedBytes"] = report.predicted.count;
  document["measuredBytes"] = report.measured.count;
  document["before"] = ToJson(report.before);
  document["after"] = ToJson(report.after);
  JsonArray& removals = document["removals"].emplace_array();
  for (const Removal& removal : report.removals) {
    const image::Image& image = seen.images.at(removal.image);
    removals.push_back({{"id", image.id.value},
                        {"name", image::DisplayName(image)},
                        {"outcome", image::Code(removal.outcome)},
                        {"detail", removal.detail},
                        {"predictedBytes", removal.predicted.count}});
  }
  JsonObject& plan = document["plan"].emplace_object();
  AddPlanHead(plan, seen, report.plan);
  AddTrust(document, seen);
  return document;
}

}  // namespace

std::string RenderReport(const Observation& seen, const Report& report, const Style& style) {
  if (IsDocument(style)) return Write(ReportDocument(seen, report), style.format);
  std::string text;
  if (style.format == Format::kName) {
    for (const Removal& removal : report.removals) {
      if (IsGone(removal)) text += Clean(seen.images.at(removal.image).id.value) + "\n";
    }
    return text;
  }
  const std::string table = RemovedTable(seen, report, style);
  if (!table.empty()) text += table + "\n";
  text += StayedLines(seen, report, style);
  text += Line(style, "removed",
               base::Count(CountGone(report), "image") + " in " +
                   base::FormatDuration(std::chrono::round<std::chrono::milliseconds>(
                       report.finished - report.started)));
  text += Line(style, "freed", FreedSentence(report));
  text += ShortfallLine(seen, report, style);
  text += Line(style, "disk", DiskSentence(report));
  text += Line(style, "ending", Paint(style, ColorOf(report.ending), EndingSentence(report)));
  for (const std::string& line : MessageLines(seen, report.plan.notes, style)) text += line;
  return text + TrustLines(seen, style);
}

}  // namespace ebb::report
