#include "report/status.h"

#include "cli/view.h"

namespace ebb::cli {

ExitCode Status(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  Print(report::RenderStatus(view->seen, view->node.policy(), view->plan,
                             ReadStyle(context.options.output)));
  return ExitCode::kDone;
}

}  // namespace ebb::cli
