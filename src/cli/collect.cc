#include "engine/collect.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/text.h"
#include "cli/view.h"
#include "engine/recover.h"
#include "report/collect.h"
#include "report/plan.h"

namespace ebb::cli {
namespace {

using base::ErrorCode;

// Reads one line; anything but y or yes is no, and so is the end of the input or a signal.
bool Confirmed(const View& view) {
  const std::size_t planned = view.plan.removals;
  const std::size_t most = image::RemovalLimit(view.plan, view.seen, view.node.policy().radius);
  const std::string more = most > planned ? ", and up to " + std::to_string(most - planned) +
                                                " more if the disk measures short"
                                          : "";
  (void)std::fprintf(stderr, "Remove %s%s? [y/N] ", base::Count(planned, "image").c_str(),
                     more.c_str());
  (void)std::fflush(stderr);
  std::string answer;
  char c = 0;
  while (::read(STDIN_FILENO, &c, 1) == 1 && c != '\n') answer += c;
  return answer == "y" || answer == "Y" || answer == "yes";
}

// Observes and decides anew.
base::Status Refresh(View& view, const image::Target& target) {
  auto seen = view.node.Observe();
  if (!seen.ok()) return seen.error();
  view.seen = std::move(*seen);
  view.plan = image::Decide(view.seen, view.node.policy(), target);
  return base::Done{};
}

std::vector<std::string> Going(const View& view) {
  std::vector<std::string> ids;
  ids.reserve(view.plan.removals);
  for (std::size_t v = 0; v < view.plan.removals; ++v) {
    ids.push_back(view.seen.images[view.plan.verdicts[v].image].id.value);
  }
  return ids;
}

// An answer may come after an hour: what was agreed to must still be what would be done.
base::Status StillTheSame(View& view, const image::Target& target) {
  const auto agreed = Going(view);
  auto refreshed = Refresh(view, target);
  if (!refreshed.ok()) return refreshed;
  if (Going(view) == agreed) return base::Done{};
  return base::Error{ErrorCode::kRefused,
                     "nothing was removed: the node has changed since the plan was made; run it "
                     "again to see the new one"};
}

// The safety rules of the command line, before anything is removed.
base::Status Permit(const Context& context, View& view, const image::Target& target) {
  const std::string beyond = image::BeyondRadius(view.plan, view.seen, view.node.policy().radius);
  if (!beyond.empty()) return base::Error{ErrorCode::kRefused, "nothing was removed: " + beyond};
  if (context.options.yes) return base::Done{};
  if (::isatty(STDIN_FILENO) != 1) {
    return base::Error{ErrorCode::kRefused,
                       "nothing was removed: there is no terminal to ask on; pass --yes"};
  }
  if (!Confirmed(view)) return base::Error{ErrorCode::kRefused, "nothing was removed"};
  return StillTheSame(view, target);
}

// A crash in the middle of a removal left a batch without an outcome. What it did shows in the
// listing just read; the record is closed so that it is told once.
void CloseUnfinished(const engine::Ports& ports) {
  if (ports.history == nullptr) return;
  const auto unfinished = ports.history->Unfinished();
  if (!unfinished.ok()) return;
  for (const engine::Intent& intent : *unfinished) {
    PrintError("a run of " + base::FormatTime(intent.time) + " was cut off while it removed " +
               base::Count(intent.ids.size(), "image") +
               "; what was left undone is in this plan again");
    const auto closed = ports.history->Finish(intent.batch, {});
    if (!closed.ok()) PrintError("warning: " + closed.error().message);
  }
}

std::function<void(std::size_t, base::Bytes)> Progress(std::size_t all) {
  if (::isatty(STDERR_FILENO) != 1) return {};
  return [all](std::size_t decided, base::Bytes measured) {
    (void)std::fprintf(stderr, "\r%zu of %zu, %s freed\x1b[K%s", decided, all,
                       base::FormatBytes(measured).c_str(), decided == all ? "\n" : "");
  };
}

ExitCode CarryOut(const Context& context, const View& view) {
  const auto report = engine::Collect(
      view.node.ports(), view.seen, view.plan, view.node.observe_options(),
      {.limit = image::RemovalLimit(view.plan, view.seen, view.node.policy().radius),
       .max_bytes = view.node.policy().radius.max_bytes,
       .stopped = [&] { return context.stop.load(); },
       .progress = Progress(view.plan.removals)});
  Print(report::RenderReport(view.seen, report, ReadStyle(context.options.output)));
  return ExitFor(report);
}

// Takes the lock before it looks: what is decided then is decided by the only ebb at work.
base::Result<View> LookAlone(const Context& context, const image::Target& target,
                             std::unique_ptr<engine::RunLock::Guard>& held) {
  auto node = WireNode(context.options.node, context.stop);
  if (!node.ok()) return node.error();
  if (!node->other_runtimes().empty()) {
    return base::Error{ErrorCode::kUsage,
                       "nothing was removed: more than one container runtime answers (" +
                           node->other_runtimes().front() +
                           " too); name one with --runtime-endpoint"};
  }
  auto lock = node->ports().lock->Acquire();
  if (!lock.ok()) return lock.error();
  held = std::move(*lock);
  const auto completed = engine::CompleteLeftovers(node->ports(), node->observe_options());
  if (!completed.ok()) return completed.error();
  for (const std::string& told : *completed) PrintError(told);
  View view{.node = std::move(*node), .seen = {}, .plan = {}};
  auto refreshed = Refresh(view, target);
  if (!refreshed.ok()) return refreshed.error();
  return view;
}

}  // namespace

ExitCode Collect(const Context& context) {
  const auto target = ReadTarget(context.options.target);
  if (!target.ok()) return Fail(target.error());
  std::unique_ptr<engine::RunLock::Guard> held;
  auto view = LookAlone(context, *target, held);
  if (!view.ok()) return Fail(view.error());
  CloseUnfinished(view->node.ports());
  PrintWarnings(view->seen);
  if (view->plan.removals == 0) return CarryOut(context, *view);
  // The plan is for people; a document on stdout is the report alone.
  const report::Style style = ReadStyle(context.options.output);
  if (!context.options.yes) {
    const auto plan = report::RenderPlan(view->seen, view->node.policy(), view->plan, style);
    report::IsDocument(style) ? PrintError(plan) : Print(plan);
  }
  const auto permitted = Permit(context, *view, *target);
  if (!permitted.ok()) return Fail(permitted.error());
  return CarryOut(context, *view);
}

}  // namespace ebb::cli
