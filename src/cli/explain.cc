#include "report/explain.h"

#include "cli/view.h"
#include "report/past.h"

namespace ebb::cli {
namespace {

// The history may know an image that the node no longer has.
std::optional<image::PastRemoval> PastOf(const Context& context, const View& view) {
  if (view.node.ports().history == nullptr) return std::nullopt;
  const std::string& asked = context.options.image;
  for (const std::string& name : {asked, image::Normalize(asked)}) {
    const auto past = view.node.ports().history->FindRemoval(name);
    if (past.ok() && *past) return *past;
  }
  return std::nullopt;
}

}  // namespace

ExitCode Explain(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  const auto text = report::RenderExplain(view->seen, view->node.policy(), view->plan,
                                          context.options.image, ReadStyle(context.options.output));
  PrintWarnings(view->seen);
  if (text.ok()) {
    Print(*text);
    return ExitCode::kDone;
  }
  const auto past = PastOf(context, *view);
  if (!past) return Fail(text.error());
  Print(report::RenderPastRemoval(*past, view->seen.taken_at, ReadStyle(context.options.output)));
  return ExitCode::kDone;
}

}  // namespace ebb::cli
