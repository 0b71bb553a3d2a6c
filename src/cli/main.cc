#include <malloc.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>

#include "cli/app.h"
#include "cli/commands.h"
#include "host/signals.h"

namespace ebb::cli {
namespace {

struct Command {
  std::string_view name;
  ExitCode (*run)(const Context&);
};

constexpr std::array kCommands = {
    Command{"status", Status},   Command{"images", Images},   Command{"plan", Plan},
    Command{"explain", Explain}, Command{"collect", Collect}, Command{"version", Version},
    Command{"df", Df},           Command{"layers", Layers},   Command{"leases", Leases},
    Command{"run", Run},         Command{"pause", Pause},     Command{"resume", Resume},
    Command{"history", History}, Command{"dead", Dead},
};

ExitCode DispatchGuard(const CLI::App& guard, const Context& context) {
  if (guard.got_subcommand("add")) return GuardAdd(context);
  if (guard.got_subcommand("remove")) return GuardRemove(context);
  if (guard.got_subcommand("restore")) return GuardRestore(context);
  return GuardList(context);
}

ExitCode DispatchCluster(const CLI::App& cluster, const Context& context) {
  return cluster.got_subcommand("lint") ? ClusterLint(context) : ClusterPreviewDelete(context);
}

ExitCode Dispatch(const CLI::App& app, const Context& context) {
  const CLI::App& chosen = *app.get_subcommands().front();
  const std::string& name = chosen.get_name();
  if (name == "completion") return Completion(app, context.options.shell);
  if (name == "man") return Man(app, context.options.page);
  if (name == "config") {
    const bool view = chosen.got_subcommand("view");
    return view ? ConfigView(context) : ConfigValidate(context);
  }
  if (name == "cluster") return DispatchCluster(chosen, context);
  if (name == "guard") return DispatchGuard(chosen, context);
  if (name == "history" && chosen.got_subcommand("export")) return HistoryExport(context);
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(context);
  }
  return ExitCode::kUsage;
}

int Main(int argc, const char* const* argv) {
  // gRPC's threads would each get an arena of their own; two are plenty and keep the program small.
  (void)::mallopt(M_ARENA_MAX, 2);
  const std::atomic<bool>& stop = host::CatchStopSignals();
  Options options;
  const auto app = MakeApp(options);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app->exit(help);
  } catch (const CLI::ParseError& error) {
    PrintError(std::string(error.what()) + "; see ebb --help");
    return static_cast<int>(ExitCode::kUsage);
  }
  const ExitCode code = Dispatch(*app, {.options = options, .stop = stop});
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return static_cast<int>(Fail({base::ErrorCode::kInternal, "the output could not be written"}));
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace ebb::cli

int main(int argc, char** argv) {
  return ebb::cli::Main(argc, argv);
}
