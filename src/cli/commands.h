// One function per subcommand. Each prints to stdout what was asked for, to stderr what went
// wrong, and returns the exit status.
#pragma once

#include <atomic>

#include "cli/exit_code.h"
#include "cli/options.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace ebb::cli {

// Everything a subcommand may use besides the options.
struct Context {
  const Options& options;
  const std::atomic<bool>& stop;
};

ExitCode Status(const Context& context);
ExitCode Images(const Context& context);
ExitCode Plan(const Context& context);
ExitCode Explain(const Context& context);
ExitCode Df(const Context& context);
ExitCode Layers(const Context& context);
ExitCode Leases(const Context& context);
ExitCode Dead(const Context& context);
ExitCode GuardList(const Context& context);
ExitCode GuardAdd(const Context& context);
ExitCode GuardRemove(const Context& context);
ExitCode GuardRestore(const Context& context);
ExitCode Collect(const Context& context);
ExitCode Run(const Context& context);
ExitCode Pause(const Context& context);
ExitCode Resume(const Context& context);
ExitCode History(const Context& context);
ExitCode HistoryExport(const Context& context);
ExitCode ConfigView(const Context& context);
ExitCode ConfigValidate(const Context& context);
ExitCode ClusterPreviewDelete(const Context& context);
ExitCode ClusterLint(const Context& context);
ExitCode Version(const Context& context);
ExitCode Completion(const CLI::App& app, const std::string& shell);
// The manual page of `ebb`, or of the subcommand that `words` name, for man(1).
ExitCode Man(const CLI::App& app, const std::vector<std::string>& words);

// The subcommands that help shows: option groups and hidden ones are left out.
std::vector<const CLI::App*> ShownCommands(const CLI::App& app);

// "ebb: " and the sentence, on stderr; returns what the error means.
ExitCode Fail(const base::Error& error);
void Print(const std::string& text);
void PrintError(const std::string& text);

}  // namespace ebb::cli
