#include "report/status.h"

#include "cli/view.h"
#include "report/pressure.h"

namespace ebb::cli {

ExitCode Status(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  const report::Style style = ReadStyle(context.options.output);
  const image::Policy& policy = view->node.policy();
  Print(context.options.node.pressure
            ? report::RenderPressure(view->seen, policy, style)
            : report::RenderStatus(view->seen, policy, view->plan, style));
  return ExitCode::kDone;
}

}  // namespace ebb::cli
