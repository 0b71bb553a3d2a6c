#include "report/explain.h"

#include "cli/view.h"
#include "report/past.h"
#include "report/store.h"

namespace ebb::cli {
namespace {

// The history may know an image that the node no longer has.
std::optional<image::PastRemoval> PastOf(const Context& context, const View& view) {
  if (view.node.ports().history == nullptr) return std::nullopt;
  const std::string& asked = context.options.explain.front();
  for (const std::string& name : {asked, image::Normalize(asked)}) {
    const auto past = view.node.ports().history->FindRemoval(name);
    if (past.ok() && *past) return *past;
  }
  return std::nullopt;
}

ExitCode ExplainLayer(const Context& context, const View& view) {
  const auto text = report::RenderExplainLayer(view.seen, view.plan, context.options.explain.back(),
                                               ReadStyle(context.options.output));
  if (!text.ok()) return Fail(text.error());
  PrintWarnings(view.seen);
  Print(*text);
  return ExitCode::kDone;
}

}  // namespace

ExitCode Explain(const Context& context) {
  const std::vector<std::string>& words = context.options.explain;
  if (words.size() == 2 && words.front() != "layer") {
    return Fail(
        {base::ErrorCode::kUsage, "explain takes one image, or the word layer and one key"});
  }
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  if (words.size() == 2) return ExplainLayer(context, *view);
  const auto text =
      report::RenderExplain(view->seen, view->node.policy(), view->plan,
                            context.options.explain.front(), ReadStyle(context.options.output));
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
