#include "report/plan.h"

#include "cli/view.h"

namespace ebb::cli {

ExitCode Plan(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  PrintWarnings(view->seen);
  Print(report::RenderPlan(view->seen, view->node.policy(), view->plan,
                           ReadStyle(context.options.output)));
  if (!context.options.exit_code) return ExitCode::kDone;
  return view->plan.removals > 0 ? ExitCode::kWouldRemove : ExitCode::kDone;
}

}  // namespace ebb::cli
