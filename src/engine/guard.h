// The guard at work: keeps pins, leases and names as they should be, and makes names again that
// somebody removed.
#pragma once

#include <string>
#include <vector>

#include "engine/ports.h"
#include "engine/records.h"
#include "image/guard.h"
#include "image/guard_watch.h"

namespace ebb::engine {

struct GuardPorts {
  Clock& clock;
  Runtime& runtime;
  ImageRecords& records;
  GuardMemory& memory;
};

struct GuardPass {
  image::GuardSet set;                // what is guarded from now on
  std::vector<image::ImageId> lost;   // guarded, and some name of it is gone
  std::vector<std::string> news;      // sentences: what is guarded since now, and what no longer
  std::vector<std::string> problems;  // what could not be done; the next pass tries again
};

// Brings pins, markers, lease and memory to what `policy` wants of a node that looks like `seen`.
// Fails only if nothing could be done at all.
base::Result<GuardPass> KeepGuard(const GuardPorts& ports, const image::GuardPolicy& policy,
                                  const image::Observation& seen);

struct Restoration {
  image::GuardWatch::Found found = image::GuardWatch::Found::kFailed;
  std::vector<std::string> names;  // that were made
  std::string problem;             // of what failed
};

// Makes every name of the image again that is missing, and returns when the runtime knows them, by
// name and by ID; after two seconds in vain it has failed.
Restoration RestoreImage(const GuardPorts& ports, const image::GuardedImage& guarded);

// Takes the guard off everything this state directory guards: pins of ours, markers, lease, memory.
// kAnybodys: off every record and lease of this containerd that bears the mark of any ebb. Returns
// how many records that were.
base::Result<std::size_t> RemoveGuard(const GuardPorts& ports, ImageRecords::Whose whose);

}  // namespace ebb::engine
