// Carries out a plan: look again, remove, verify, measure, batch by batch.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/observe.h"
#include "engine/ports.h"
#include "image/plan.h"

namespace ebb::engine {

struct CollectOptions {
  // How many of the plan's verdicts may be removed, see image::RemovalLimit(); 0: its removals and
  // nothing of its reserve.
  std::size_t limit = 0;
  std::string trigger = "collect";  // see image::Report::trigger
  // Measured bytes after which no batch begins: predictions may be short, --max-bytes is not.
  std::optional<base::Bytes> max_bytes;
  std::size_t max_batch = 64;  // where the runtime itself refuses to remove images in use
  std::size_t max_blind = 16;  // elsewhere: nothing holds an image between check and removal (P4)
  base::Duration batch_time = std::chrono::seconds(2);
  base::Duration settle_time = std::chrono::seconds(10);  // waited for a runtime that frees late
  // Whether somebody wants it to end: the batch in flight is finished, verified and recorded.
  Stopped stopped = {};
  // Called after every batch with the removals decided so far and what was measured.
  std::function<void(std::size_t decided, base::Bytes measured)> progress;
};

// Requires the run lock to be held, and `plan` to be Decide() of `seen`, which Observe() made with
// `observed`. One image that cannot be removed never stops the others (P8). A world that cannot
// be read again, before a batch or after it, ends the run.
image::Report Collect(const Ports& ports, const image::Observation& seen, const image::Plan& plan,
                      const ObserveOptions& observed, const CollectOptions& options);

}  // namespace ebb::engine
