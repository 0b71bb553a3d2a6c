#include "report/images.h"

#include "cli/view.h"

namespace ebb::cli {

ExitCode Images(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  const auto text =
      report::RenderImages(view->seen, view->node.policy(), view->plan,
                           {.sort_by = context.options.sort_by, .filters = context.options.filters},
                           ReadStyle(context.options.output));
  if (!text.ok()) return Fail(text.error());
  PrintWarnings(view->seen);
  Print(text->text);
  if (!text->note.empty()) PrintError(text->note);
  return ExitCode::kDone;
}

}  // namespace ebb::cli
