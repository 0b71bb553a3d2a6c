// The subcommand about what was removed. It reads the file of the history and needs no runtime.
#include "history/history.h"

#include <algorithm>

#include "cli/commands.h"
#include "cli/wire.h"
#include "host/clock.h"
#include "report/history.h"
#include "report/history_json.h"

namespace ebb::cli {
namespace {

using history::PastQuery;
using history::SqliteHistory;

// Whatever is wrong with the file is an error without a number of its own: no rule of ours refuses.
ExitCode Unreadable(const base::Error& error) {
  return Fail({base::ErrorCode::kInternal, error.message});
}

// Null: there is none yet.
base::Result<std::unique_ptr<SqliteHistory>> OpenToRead(const std::string& directory) {
  auto opened =
      SqliteHistory::Open({.directory = directory, .access = history::Database::Access::kReadOnly});
  if (!opened.ok() && opened.error().code == base::ErrorCode::kNotFound) {
    return std::unique_ptr<SqliteHistory>();
  }
  return opened;
}

base::Status AddSince(const std::string& text, PastQuery& query) {
  if (text.empty()) return base::Done{};
  const auto age = base::ParseDuration(text);
  if (!age.ok()) return age.error().In("--since");
  query.since = host::SystemClock().Now() - *age;
  return base::Done{};
}

base::Result<PastQuery> ReadQuery(const HistoryOptions& options) {
  PastQuery query;
  if (auto since = AddSince(options.since, query); !since.ok()) return since.error();
  const std::string usual = options.regrets ? "0" : "20";
  const auto limit =
      ReadNumber(options.limit.empty() ? usual : options.limit, "--limit", 1'000'000);
  if (!limit.ok()) return limit.error();
  query.limit = *limit;
  if (options.run.empty()) return query;
  const auto run = ReadNumber(options.run, "RUN", 1'000'000'000);
  if (!run.ok()) return run.error();
  if (*run == 0) return base::Error{base::ErrorCode::kUsage, "runs are numbered from 1"};
  query.run = *run;
  return query;
}

// One more than asked for is read, so that a list that was cut says so.
ExitCode ShowRuns(SqliteHistory& file, PastQuery query, const report::Style& style) {
  const auto most = static_cast<std::size_t>(query.limit);
  if (query.limit > 0) ++query.limit;
  auto runs = file.Runs(query);
  if (!runs.ok()) return Unreadable(runs.error());
  const bool cut = most > 0 && runs->size() > most;
  if (cut) runs->resize(most);
  Print(report::RenderRuns(*runs, style));
  const bool all = query.since == base::kNever;
  if (runs->empty())
    PrintError(all ? "no run has been recorded yet" : "no run is as young as that");
  if (cut) PrintError("there are older runs; --limit 0 shows all");
  return ExitCode::kDone;
}

ExitCode ShowRegrets(SqliteHistory& file, const PastQuery& query, const report::Style& style) {
  const auto regrets = file.Regrets(query);
  if (!regrets.ok()) return Unreadable(regrets.error());
  Print(report::RenderRegrets(*regrets, style));
  if (regrets->empty()) PrintError("nothing that these runs removed has come back");
  return ExitCode::kDone;
}

ExitCode ShowRun(SqliteHistory& file, const PastQuery& query, const report::Style& style) {
  const auto runs = file.Runs(query);
  if (!runs.ok()) return Unreadable(runs.error());
  if (runs->empty()) {
    return Fail({base::ErrorCode::kUsage, "there is no run " + std::to_string(query.run) +
                                              "; ebb history lists those that are remembered"});
  }
  const auto removals = file.Removals(query);
  if (!removals.ok()) return Unreadable(removals.error());
  Print(report::RenderRun(runs->front(), *removals, style));
  return ExitCode::kDone;
}

// An empty list is a document too.
ExitCode ShowNothing(const HistoryOptions& options, const std::string& directory,
                     const report::Style& style) {
  const std::string nothing = "nothing has been recorded yet in " + directory;
  if (!options.run.empty()) return Fail({base::ErrorCode::kUsage, nothing});
  Print(options.regrets ? report::RenderRegrets({}, style) : report::RenderRuns({}, style));
  PrintError(nothing);
  return ExitCode::kDone;
}

base::Status ExportRuns(SqliteHistory& file, const PastQuery& query) {
  auto runs = file.Runs(query);
  if (!runs.ok()) return runs.error();
  std::ranges::reverse(*runs);
  for (const image::PastRun& run : *runs) {
    Print(report::ExportLine(run));
    const auto removals = file.Removals({.run = run.number});
    if (!removals.ok()) return removals.error();
    for (const image::PastRemoval& removal : *removals) Print(report::ExportLine(removal));
  }
  return base::Done{};
}

base::Status ExportSamples(SqliteHistory& file, const PastQuery& query) {
  const auto mountpoints = file.Mountpoints();
  if (!mountpoints.ok()) return mountpoints.error();
  for (const std::string& mountpoint : *mountpoints) {
    const auto samples = file.Samples(mountpoint, {.since = query.since});
    if (!samples.ok()) return samples.error();
    for (const image::Sample& sample : *samples) Print(report::ExportLine(mountpoint, sample));
  }
  return base::Done{};
}

}  // namespace

ExitCode History(const Context& context) {
  const HistoryOptions& options = context.options.history;
  const auto query = ReadQuery(options);
  if (!query.ok()) return Fail(query.error());
  const auto config = ReadConfig(context.options.node);
  if (!config.ok()) return Fail(config.error());
  const auto file = OpenToRead(config->state_directory);
  if (!file.ok()) return Unreadable(file.error());
  const report::Style style = ReadStyle(context.options.output);
  if (*file == nullptr) return ShowNothing(options, config->state_directory, style);
  if (!options.run.empty()) return ShowRun(**file, *query, style);
  return options.regrets ? ShowRegrets(**file, *query, style) : ShowRuns(**file, *query, style);
}

ExitCode HistoryExport(const Context& context) {
  PastQuery query;
  if (auto since = AddSince(context.options.history.since, query); !since.ok()) {
    return Fail(since.error());
  }
  const auto config = ReadConfig(context.options.node);
  if (!config.ok()) return Fail(config.error());
  const auto file = OpenToRead(config->state_directory);
  if (!file.ok()) return Unreadable(file.error());
  if (*file == nullptr) {
    PrintError("nothing has been recorded yet in " + config->state_directory);
    return ExitCode::kDone;
  }
  for (auto* const part : {ExportRuns, ExportSamples}) {
    if (const auto done = part(**file, query); !done.ok()) return Unreadable(done.error());
  }
  return ExitCode::kDone;
}

}  // namespace ebb::cli
