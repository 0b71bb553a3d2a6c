// The daemon, and what tells it to wait: run, pause, resume.
#include "daemon/run.h"

#include "base/time.h"
#include "cli/commands.h"
#include "cli/wire.h"
#include "host/clock.h"
#include "host/pause_file.h"

namespace ebb::cli {
namespace {

base::Result<std::optional<base::TimePoint>> PauseEnd(const std::string& text) {
  if (text.empty()) return std::optional<base::TimePoint>();
  const auto time = base::ParseDuration(text);
  if (!time.ok()) return time.error().In("--for");
  return std::optional(host::SystemClock().Now() + *time);
}

}  // namespace

ExitCode Run(const Context& context) {
  daemon::RunOptions options{.wire = ToWire(context.options.node), .version = EBB_VERSION};
  options.wire.command = "ebb run";
  options.wire.node_path = kKubeletDirectory;
  const std::string& listen = context.options.listen;
  if (!listen.empty()) options.wire.listen = listen == "none" ? "" : listen;
  const auto ran = daemon::Run(options, context.stop);
  return ran.ok() ? ExitCode::kDone : Fail(ran.error());
}

ExitCode Pause(const Context& context) {
  const auto config = ReadConfig(context.options.node);
  if (!config.ok()) return Fail(config.error());
  const auto until = PauseEnd(context.options.pause_for);
  if (!until.ok()) return Fail(until.error());
  const auto paused = host::PauseFile(config->state_directory).Pause(*until);
  if (!paused.ok()) return Fail(paused.error());
  Print("the daemon removes nothing until " +
        (*until ? base::FormatTime(**until) : std::string("ebb resume")) + "\n");
  return ExitCode::kDone;
}

ExitCode Resume(const Context& context) {
  const auto config = ReadConfig(context.options.node);
  if (!config.ok()) return Fail(config.error());
  const auto resumed = host::PauseFile(config->state_directory).Resume();
  if (!resumed.ok()) return Fail(resumed.error());
  Print("the daemon removes again what its configuration lets it\n");
  return ExitCode::kDone;
}

}  // namespace ebb::cli
