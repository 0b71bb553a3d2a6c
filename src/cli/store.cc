// The subcommands about the runtime's store: df, layers, leases.
#include "report/store.h"

#include "cli/view.h"
#include "report/df.h"

namespace ebb::cli {
namespace {

ExitCode Show(const View& view, const base::Result<std::string>& text) {
  if (!text.ok()) return Fail(text.error());
  PrintWarnings(view.seen);
  Print(*text);
  return ExitCode::kDone;
}

}  // namespace

ExitCode Df(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  return Show(*view, report::RenderDf(view->seen, view->plan, ReadStyle(context.options.output)));
}

ExitCode Layers(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  return Show(*view, report::RenderLayers(view->seen, ReadStyle(context.options.output)));
}

ExitCode Leases(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  return Show(*view, report::RenderLeases(view->seen, ReadStyle(context.options.output)));
}

}  // namespace ebb::cli
