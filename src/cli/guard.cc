// `ebb guard`: what must not be lost, whoever removes it.
#include "engine/guard.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "cli/view.h"
#include "report/find.h"
#include "report/guard.h"

namespace ebb::cli {
namespace {

using engine::GuardPorts;

base::Error NoRecords() {
  return {base::ErrorCode::kUnsupported,
          "this runtime has no image records that could be guarded: only containerd has"};
}

// Changes what the operator added; no daemon changes it at the same time.
base::Status ChangeAdded(const GuardPorts& ports,
                         const std::function<void(std::vector<std::string>&)>& change) {
  const auto lock = ports.memory.Change();
  if (!lock.ok()) return lock.error();
  auto set = ports.memory.Load();
  if (!set.ok()) return set.error();
  change(set->added);
  return ports.memory.Save(*set);
}

ExitCode KeepAndTell(const View& view, const GuardPorts& ports) {
  const auto pass = engine::KeepGuard(ports, view.node.policy().guard, view.seen);
  if (!pass.ok()) return Fail(pass.error());
  for (const std::string& line : pass->news) Print(line + "\n");
  for (const std::string& problem : pass->problems) PrintError(problem);
  return pass->problems.empty() ? ExitCode::kDone : ExitCode::kError;
}

ExitCode RemoveAll(const View& view, const GuardPorts& ports) {
  const auto removed = engine::RemoveGuard(ports, engine::ImageRecords::Whose::kAnybodys);
  if (!removed.ok()) return Fail(removed.error());
  Print("The guard was taken off " + base::Count(*removed, "name") + ".\n");
  if (view.seen.guard_stands_by) {
    PrintError("a daemon stands by and will guard again: stop it, or set guard: off");
  }
  return ExitCode::kDone;
}

}  // namespace

ExitCode GuardList(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  PrintWarnings(view->seen);
  Print(report::RenderGuard(view->seen, ReadStyle(context.options.output)));
  return ExitCode::kDone;
}

ExitCode GuardAdd(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  const auto ports = view->node.guard_ports();
  if (!ports) return Fail(NoRecords());
  const std::string& name = context.options.guarded;
  const auto found = report::FindImage(view->seen, name);
  if (!found.ok()) return Fail(found.error());
  const bool by_name = image::Names(name, view->seen.images[*found]);
  const std::string full = by_name ? name : view->seen.images[*found].id.value;
  const auto added = ChangeAdded(*ports, [&](std::vector<std::string>& all) {
    if (std::ranges::find(all, full) == all.end()) all.push_back(full);
  });
  if (!added.ok()) return Fail(added.error());
  return KeepAndTell(*view, *ports);
}

ExitCode GuardRemove(const Context& context) {
  const auto view = Look(context);
  if (!view.ok()) return Fail(view.error());
  const auto ports = view->node.guard_ports();
  if (!ports) return Fail(NoRecords());
  const std::string& name = context.options.guarded;
  if (context.options.guard_all) return RemoveAll(*view, *ports);
  if (name.empty()) {
    return Fail({base::ErrorCode::kUsage, "guard remove takes one image, or --all"});
  }
  std::size_t gone = 0;
  const auto removed = ChangeAdded(*ports, [&](std::vector<std::string>& all) {
    gone = std::erase_if(all, [&](const std::string& other) {
      return image::Normalize(other) == image::Normalize(name);
    });
  });
  if (!removed.ok()) return Fail(removed.error());
  if (gone == 0) {
    return Fail({base::ErrorCode::kUsage,
                 name + " was not added by 'ebb guard add'; 'ebb guard list' shows by what it is "
                        "guarded"});
  }
  return KeepAndTell(*view, *ports);
}

ExitCode GuardRestore(const Context& context) {
  const auto node = WireNode(context.options.node, context.stop);
  if (!node.ok()) return Fail(node.error());
  const auto ports = node->guard_ports();
  if (!ports) return Fail(NoRecords());
  const auto set = ports->memory.Load();
  if (!set.ok()) return Fail(set.error());
  ExitCode code = ExitCode::kDone;
  for (const image::GuardedImage& guarded : set->images) {
    const std::string name = image::DisplayName(image::ToImage(guarded));
    const auto restored = engine::RestoreImage(*ports, guarded);
    if (restored.found == image::GuardWatch::Found::kFailed) {
      code = Fail({base::ErrorCode::kInternal, name + ": " + restored.problem});
    } else {
      Print(name + (restored.names.empty() ? " is there\n" : " was brought back\n"));
    }
  }
  return code;
}

}  // namespace ebb::cli
