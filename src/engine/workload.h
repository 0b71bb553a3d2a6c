// Reads who uses images now, asking the runtime only for facts nobody remembers yet.
#pragma once

#include "engine/observe.h"
#include "engine/ports.h"

namespace ebb::engine {

// Whom to ask, and what is known before asking.
struct WorkloadSource {
  Runtime& runtime;
  const RuntimeFacts& about;
  const ObserveOptions& options;
};

// Fills containers with their volumes, sandboxes and sandbox images of `seen` from `inventory`.
// What had to be looked up is added to `facts`. What could not be becomes a doubt of `seen`.
// Requires seen.runtime and seen.images.
void ReadWorkload(const WorkloadSource& source, const Inventory& inventory, FactBook& facts,
                  image::Observation& seen);

}  // namespace ebb::engine
