// The first half of every subcommand about images: wire, observe, decide.
#pragma once

#include "cli/commands.h"
#include "cli/wire.h"
#include "image/plan.h"

namespace ebb::cli {

struct View {
  Node node;
  image::Observation seen;
  image::Plan plan;
};

// Decides for the target of the options; the policy is the node's.
base::Result<View> Look(const Context& context);

// Warnings of the observation, on stderr; for reports that do not show them themselves.
void PrintWarnings(const image::Observation& seen);

}  // namespace ebb::cli
