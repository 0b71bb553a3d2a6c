#include "engine/collect.h"

#include <unistd.h>

#include <cstdio>

#include "cli/view.h"
#include "report/collect.h"
#include "report/plan.h"

namespace ebb::cli {
namespace {

using base::ErrorCode;

// Reads one line; anything but y or yes is no, and so is the end of the input or a signal.
bool Confirmed(const image::Plan& plan) {
  (void)std::fprintf(stderr, "Remove %zu image(s)? [y/N] ", plan.removals);
  (void)std::fflush(stderr);
  std::string answer;
  char c = 0;
  while (::read(STDIN_FILENO, &c, 1) == 1 && c != '\n') answer += c;
  return answer == "y" || answer == "Y" || answer == "yes";
}

// The safety rules of the command line, before anything is removed.
base::Status Permit(const Context& context, const View& view) {
  const std::string beyond = image::BeyondRadius(view.plan, view.seen, view.node.policy().radius);
  if (!beyond.empty()) return base::Error{ErrorCode::kRefused, "nothing was removed: " + beyond};
  if (context.options.yes) return base::Done{};
  if (::isatty(STDIN_FILENO) != 1) {
    return base::Error{ErrorCode::kRefused,
                       "nothing was removed: there is no terminal to ask on; pass --yes"};
  }
  if (!Confirmed(view.plan)) return base::Error{ErrorCode::kRefused, "nothing was removed"};
  return base::Done{};
}

// A crash in the middle of a removal left a batch without an outcome. What it did shows in the
// listing just read; the record is closed so that it is told once.
void CloseUnfinished(const engine::Ports& ports) {
  if (ports.history == nullptr) return;
  const auto unfinished = ports.history->Unfinished();
  if (!unfinished.ok()) return;
  for (const engine::Intent& intent : *unfinished) {
    PrintError("a run of " + base::FormatTime(intent.time) + " was cut off while it removed " +
               std::to_string(intent.ids.size()) +
               " image(s); what was left undone is in this plan again");
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

ExitCode Run(const Context& context, const View& view) {
  const auto report = engine::Collect(
      view.node.ports(), view.seen, view.plan, view.node.observe_options(),
      {.limit = image::RemovalLimit(view.plan, view.seen, view.node.policy().radius),
       .stop = &context.stop,
       .progress = Progress(view.plan.removals)});
  Print(report::RenderReport(view.seen, report, ReadStyle(context.options.output)));
  return ExitFor(report);
}

}  // namespace

ExitCode Collect(const Context& context) {
  const auto target = ReadTarget(context.options.target);
  if (!target.ok()) return Fail(target.error());
  auto node = Node::Wire(context.options.node, context.stop);
  if (!node.ok()) return Fail(node.error());
  if (!node->other_runtimes().empty()) {
    return Fail({ErrorCode::kUsage,
                 "nothing was removed: more than one container runtime answers (" +
                     node->other_runtimes().front() + " too); name one with --runtime-endpoint"});
  }
  const auto held = node->ports().lock->Acquire();
  if (!held.ok()) return Fail(held.error());
  auto seen = node->Observe();
  if (!seen.ok()) return Fail(seen.error());
  CloseUnfinished(node->ports());
  PrintWarnings(*seen);
  image::Plan plan = image::Decide(*seen, node->policy(), *target);
  const View view{.node = std::move(*node), .seen = std::move(*seen), .plan = std::move(plan)};
  const report::Style style = ReadStyle(context.options.output);
  if (view.plan.removals == 0) return Run(context, view);
  // The plan is for people; a document on stdout is the report alone.
  if (!context.options.yes)
    Print(report::RenderPlan(view.seen, view.node.policy(), view.plan, style));
  const auto permitted = Permit(context, view);
  if (!permitted.ok()) return Fail(permitted.error());
  return Run(context, view);
}

}  // namespace ebb::cli
