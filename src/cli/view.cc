#include "cli/view.h"

namespace ebb::cli {

base::Result<View> Look(const Context& context) {
  const auto target = ReadTarget(context.options.target);
  if (!target.ok()) return target.error();
  auto node = WireNode(context.options.node, context.stop);
  if (!node.ok()) return node.error();
  auto seen = node->Observe();
  if (!seen.ok()) return seen.error();
  image::Plan plan = image::Decide(*seen, node->policy(), *target);
  return View{.node = std::move(*node), .seen = std::move(*seen), .plan = std::move(plan)};
}

void PrintWarnings(const image::Observation& seen) {
  for (const std::string& warning : seen.warnings) PrintError("warning: " + warning);
}

}  // namespace ebb::cli
