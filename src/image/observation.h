// All a decision may look at, taken at one instant.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "image/claim.h"
#include "image/filesystem.h"
#include "image/guard.h"
#include "image/image.h"
#include "image/runtime.h"
#include "image/store.h"
#include "image/store_graph.h"
#include "image/workload.h"

namespace ebb::image {

struct Observation {
  base::TimePoint taken_at = base::kNever;
  Runtime runtime;
  std::vector<Image> images;  // one per ID; store_graph indices are indices of this vector
  std::vector<Container> containers;
  // Created since the last observation, as the runtime told, and gone again. They use nothing now:
  // only the history of their images knows of them.
  std::vector<Container> passed;
  std::vector<Sandbox> sandboxes;
  std::vector<SandboxImage> sandbox_images;
  std::vector<LogEntry> logs;    // empty where nobody looked
  KnownPods pods;                // what pod sources said
  std::vector<Claim> pulls;      // in progress
  ImageId own_image;             // empty: we do not run in a container, or it is not known
  std::vector<Guarded> guarded;  // by ebb, on this node or lost just now
  bool guard_stands_by = false;  // somebody brings them back when they are lost
  std::vector<Filesystem> filesystems;
  StoreGraph store;
  Store objects;  // what `store` was made from; empty where only CRI could be asked
  // Each says why this observation as a whole cannot be trusted: then nothing is removed (P2).
  std::vector<std::string> doubts;
  // Knowledge sources nobody configured ("pods", "pulls"): named in every report (P1).
  std::vector<std::string> not_checked;
  // What the operator should know; changes no decision.
  std::vector<std::string> warnings;
};

}  // namespace ebb::image
