#include "report/dead.h"

#include "cli/view.h"
#include "engine/dead.h"

namespace ebb::cli {

ExitCode Dead(const Context& context) {
  auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  const engine::Ports& ports = view->node.ports();
  engine::ReadLogs(*ports.logs, view->seen);
  const image::DeadPlan plan = image::DecideDead(view->seen, view->node.policy().dead);
  PrintWarnings(view->seen);
  Print(report::RenderDead(view->seen, plan, ReadStyle(context.options.output)));
  return ExitCode::kDone;
}

}  // namespace ebb::cli
