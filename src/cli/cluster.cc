// `ebb cluster`: what depends on what, and what a deletion takes along. Reads and changes nothing.
#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "graph/find.h"
#include "host/clock.h"
#include "kube/access.h"
#include "kube/dump.h"
#include "kube/live.h"
#include "report/deletion.h"
#include "report/lint.h"

namespace ebb::cli {
namespace {

// What could not be read is said, and the rest goes on.
base::Result<graph::World> ReadLive(const ClusterOptions& options) {
  constexpr auto kTimeout = std::chrono::seconds(30);  // of one page of a list
  auto access = kube::FindCluster(options.kubeconfig, options.context);
  if (!access.ok()) return access.error();
  host::SystemClock clock;
  kube::Session session(std::move(*access), clock, kTimeout);
  auto live = kube::ReadCluster(session, options.ns);
  if (!live.ok()) return live.error();
  for (const std::string& unread : live->unread)
    PrintError(base::OneLine("warning: not read: " + unread));
  return std::move(live->world);
}

base::Result<graph::World> ReadWorld(const ClusterOptions& options) {
  return options.from.empty() ? ReadLive(options) : kube::ReadDump(options.from);
}

// Two objects of one UID: whoever is owned by that UID may be owned by either.
base::Status RefuseDuplicates(const graph::World& world) {
  if (world.duplicates().empty()) return base::Done{};
  const graph::Coordinates& twin = world.duplicates().front();
  return base::Error{base::ErrorCode::kRefused,
                     graph::NameOf(twin) + " has the UID of another object (" + twin.uid +
                         "): these files are not one cluster at one moment; 'ebb cluster lint' "
                         "names all of them"};
}

std::optional<graph::Policy> ReadCascade(const std::string& word) {
  if (word == "foreground") return graph::Policy::kForeground;
  if (word == "orphan") return graph::Policy::kOrphan;
  return graph::Policy::kBackground;
}

}  // namespace

ExitCode ClusterPreviewDelete(const Context& context) {
  const ClusterOptions& options = context.options.cluster;
  const auto world = ReadWorld(options);
  if (!world.ok()) return Fail(world.error());
  if (const auto one = RefuseDuplicates(*world); !one.ok()) return Fail(one.error());
  std::vector<graph::Graph::Id> targets;
  for (const std::string& text : options.targets) {
    const auto found = graph::FindObject(*world, text, options.ns);
    if (!found.ok()) return Fail(found.error());
    if (std::ranges::find(targets, *found) == targets.end()) targets.push_back(*found);
  }
  const auto policy = ReadCascade(options.cascade);
  const report::Deletion deletion{.outcomes = graph::PreviewDelete(*world, targets, policy),
                                  .targets = targets.size(),
                                  .policy = policy,
                                  .partial = !world->kinds.complete()};
  OutputOptions output = context.options.output;
  output.format = options.format;
  Print(report::RenderDeletion(deletion, ReadStyle(output)));
  return ExitCode::kDone;
}

ExitCode ClusterLint(const Context& context) {
  const auto world = ReadWorld(context.options.cluster);
  if (!world.ok()) return Fail(world.error());
  const auto findings = graph::Lint(*world);
  Print(report::RenderLint(findings, ReadStyle(context.options.output)));
  if (findings.empty()) return ExitCode::kDone;
  const bool error = std::ranges::count(findings, graph::Severity::kError, graph::SeverityOf) > 0;
  return error ? ExitCode::kFaults : ExitCode::kWarnings;
}

}  // namespace ebb::cli
