#include "report/history.h"

#include "base/percent.h"
#include "base/text.h"
#include "image/report.h"
#include "report/history_json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::PastRemoval;
using image::PastRun;
using image::Regret;

bool Went(const PastRemoval& removal) {
  return removal.outcome == image::Code(image::Outcome::kRemoved) ||
         removal.outcome == image::Code(image::Outcome::kGone) ||
         removal.outcome == image::Code(image::Outcome::kRaced);
}

std::string UsedText(const PastRun& run) {
  if (run.capacity.count <= 0) return "-";
  return Text(base::UsedPercent(run.capacity, run.available_before)) + " → " +
         Text(base::UsedPercent(run.capacity, run.available_after));
}

std::string Took(base::TimePoint from, base::TimePoint to) {
  return base::FormatDuration(std::chrono::round<std::chrono::milliseconds>(to - from));
}

Color ColorOf(std::string_view ending) {
  if (ending == image::Code(image::Ending::kReached)) return Color::kGreen;
  return ending == image::Code(image::Ending::kStopped) ? Color::kRed : Color::kYellow;
}

std::vector<Cell> Row(const PastRun& run, const Style& style) {
  std::vector<Cell> row = {{std::to_string(run.number)},
                           {base::FormatTime(run.finished)},
                           {Clean(run.trigger)},
                           {UsedText(run)},
                           {std::to_string(run.removed)},
                           {base::FormatBytes(run.predicted)},
                           {base::FormatBytes(run.measured)},
                           {Clean(run.ending), ColorOf(run.ending)}};
  if (style.format == Format::kWide) {
    row.push_back({Took(run.started, run.finished)});
    row.push_back({Clean(run.mountpoint)});
    row.push_back({Clean(run.problem)});
  }
  return row;
}

std::string RunTable(const std::vector<PastRun>& runs, const Style& style) {
  std::vector<Column> columns = {{"RUN", Align::kRight},
                                 {"WHEN"},
                                 {"TRIGGER"},
                                 {"USED"},
                                 {"REMOVED", Align::kRight},
                                 {"PREDICTED", Align::kRight, Cut::kDrop},
                                 {"MEASURED", Align::kRight},
                                 {"ENDING"}};
  if (style.format == Format::kWide) {
    columns.push_back({"TOOK", Align::kRight});
    columns.push_back({"FILESYSTEM", Align::kLeft, Cut::kKeepTail});
    columns.push_back({"PROBLEM", Align::kLeft, Cut::kKeepHead});
  }
  Table table(std::move(columns));
  for (const PastRun& run : runs) table.Add(Row(run, style));
  return table.Render(style);
}

std::string RemovalTable(const std::vector<PastRemoval>& removals, const Style& style) {
  const bool wide = style.format == Format::kWide;
  std::vector<Column> columns = {{"#", Align::kRight},
                                 {"IMAGE", Align::kLeft, Cut::kKeepTail},
                                 {"REASON"},
                                 {"OUTCOME"},
                                 {"PREDICTED", Align::kRight}};
  if (wide) columns.push_back({"ID"});
  columns.push_back({"DETAIL", Align::kLeft, Cut::kKeepHead});
  Table table(std::move(columns));
  std::size_t number = 0;
  for (const PastRemoval& removal : removals) {
    std::vector<Cell> row = {
        {std::to_string(++number)},
        {Clean(ShortName(removal.name, style))},
        {Clean(removal.reason)},
        {Clean(removal.outcome), Went(removal) ? Color::kPlain : Color::kYellow},
        {base::FormatBytes(removal.predicted)}};
    if (wide) row.push_back({Clean(ShortId(removal.id.value, style))});
    row.push_back({Clean(removal.detail)});
    table.Add(std::move(row));
  }
  return table.Render(style);
}

std::string RunLines(const PastRun& run, const Style& style) {
  std::string text =
      Line(style, "run", std::to_string(run.number) + " (" + Clean(run.trigger) + ")");
  text += Line(style, "started",
               base::FormatTime(run.started) + ", took " + Took(run.started, run.finished));
  text += Line(style, "disk",
               run.capacity.count <= 0 ? "not measured"
                                       : UsedText(run) + " used on " + Clean(run.mountpoint));
  text += Line(style, "removed",
               base::Count(static_cast<std::size_t>(run.removed), "image") + " in " +
                   (run.batches == 1 ? "1 batch" : std::to_string(run.batches) + " batches"));
  text += Line(style, "freed",
               base::FormatBytes(run.measured) + " measured, " + base::FormatBytes(run.predicted) +
                   " predicted");
  text += Line(style, "ending", Paint(style, ColorOf(run.ending), Clean(run.ending)));
  if (!run.problem.empty()) text += Line(style, "problem", Clean(run.problem));
  return text;
}

// An older ebb recorded no sizes; then what came free is the next best.
base::Bytes PulledAgain(const Regret& regret) {
  return regret.removal.size.count > 0 ? regret.removal.size : regret.removal.predicted;
}

std::string RegretTable(const std::vector<Regret>& regrets, const Style& style) {
  const bool wide = style.format == Format::kWide;
  std::vector<Column> columns = {{"IMAGE", Align::kLeft, Cut::kKeepTail},
                                 {"REMOVED"},
                                 {"RUN", Align::kRight},
                                 {"REASON"},
                                 {"BACK AFTER", Align::kRight},
                                 {"SIZE", Align::kRight},
                                 {"BACK AS"}};
  if (wide) columns.push_back({"ID"});
  Table table(std::move(columns));
  for (const Regret& regret : regrets) {
    const PastRemoval& removal = regret.removal;
    std::vector<Cell> row = {{Clean(ShortName(removal.name, style))},
                             {base::FormatTime(removal.time)},
                             {std::to_string(removal.run)},
                             {Clean(removal.reason)},
                             {base::FormatAge(regret.back - removal.time)},
                             {base::FormatBytes(PulledAgain(regret))},
                             {regret.same_image() ? "itself" : "another image of the name"}};
    if (wide) row.push_back({Clean(ShortId(removal.id.value, style))});
    table.Add(std::move(row));
  }
  return table.Render(style);
}

}  // namespace

std::string RenderRuns(const std::vector<PastRun>& runs, const Style& style) {
  if (IsDocument(style)) return WriteList("RunList", runs, style.format);
  if (style.format != Format::kName) return RunTable(runs, style);
  std::string text;
  for (const PastRun& run : runs) text += std::to_string(run.number) + "\n";
  return text;
}

std::string RenderRun(const PastRun& run, const std::vector<PastRemoval>& removals,
                      const Style& style) {
  if (IsDocument(style)) return WriteRun(run, removals, style.format);
  if (style.format != Format::kName) {
    const std::string table = RemovalTable(removals, style);
    return RunLines(run, style) + (table.empty() ? "" : "\n" + table);
  }
  std::string text;
  for (const PastRemoval& removal : removals) {
    if (Went(removal)) text += Clean(removal.id.value) + "\n";
  }
  return text;
}

std::string RenderRegrets(const std::vector<Regret>& regrets, const Style& style) {
  if (IsDocument(style)) return WriteList("RegretList", regrets, style.format);
  if (style.format == Format::kName) {
    std::string text;
    for (const Regret& regret : regrets) text += Clean(regret.back_as.value) + "\n";
    return text;
  }
  if (regrets.empty()) return "";
  base::Bytes pulled;
  for (const Regret& regret : regrets) pulled += PulledAgain(regret);
  return RegretTable(regrets, style) + "\n" +
         Line(style, "regrets",
              base::Count(regrets.size(), "removal") + " undone, at most " +
                  base::FormatBytes(pulled) + " pulled again");
}

}  // namespace ebb::report
