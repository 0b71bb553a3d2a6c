#include "report/status.h"

#include <unistd.h>

#include "cli/ask_daemon.h"
#include "cli/view.h"
#include "report/pressure.h"

namespace ebb::cli {

namespace {

// A runtime's socket is root's alone; what the daemon saw is everybody's.
ExitCode AsTheDaemonSawIt(const Context& context, const base::Error& why) {
  const auto told = AskDaemon(context.options);
  if (!told.ok()) return Fail({why.code, why.message + "; " + told.error().message});
  PrintError("note: " + why.message + "; this is what the daemon saw last");
  Print(*told);
  return ExitCode::kDone;
}

}  // namespace

ExitCode Status(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) {
    const bool closed = ::geteuid() != 0 && view.error().code == base::ErrorCode::kUnavailable;
    return closed ? AsTheDaemonSawIt(context, view.error()) : Fail(view.error());
  }
  const report::Style style = ReadStyle(context.options.output);
  const image::Policy& policy = view->node.policy();
  Print(context.options.node.pressure
            ? report::RenderPressure(view->seen, policy, style)
            : report::RenderStatus(view->seen, policy, view->plan, style));
  return ExitCode::kDone;
}

}  // namespace ebb::cli
