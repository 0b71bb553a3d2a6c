// What the history keeps of runs and removals, and which removals came to be regretted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"
#include "image/image.h"
#include "image/usage.h"

namespace ebb::image {

// A removal, tried or done. Reason and outcome are the codes of the run that did it.
struct PastRemoval {
  std::int64_t run = 0;
  base::TimePoint run_started = base::kNever;
  base::TimePoint time = base::kNever;  // when its run was over
  ImageId id;
  std::string name;
  std::string reason;
  std::string outcome;
  std::string detail;
  base::Bytes predicted;                      // on disk
  base::Bytes size;                           // as the runtime reported it; 0: not known
  base::TimePoint first_seen = base::kNever;  // of the stay that it ended
};

// A run that removed something or tried to. Trigger and ending are stable codes.
struct PastRun {
  std::int64_t number = 0;
  base::TimePoint started = base::kNever;
  base::TimePoint finished = base::kNever;
  std::string trigger;
  std::string ending;
  std::string problem;
  std::string mountpoint;
  base::Bytes need;
  base::Bytes capacity;  // 0: the filesystem was not measured
  base::Bytes available_before;
  base::Bytes available_after;
  base::Bytes predicted;
  base::Bytes measured;
  int batches = 0;
  std::int64_t removed = 0;  // images that went
};

// A removed image that was wanted again.
struct Regret {
  PastRemoval removal;
  base::TimePoint back = base::kNever;  // when it was first seen again
  ImageId back_as;                      // another ID: only the name is the same

  bool same_image() const { return removal.id == back_as; }
};

// Which of our own `removals` were undone: the same image, else another one of the same name, began
// a stay after the run had begun. Stays are those of `records` and those that later removals ended,
// so nothing has to be written down when an image comes back. The latest removal first.
std::vector<Regret> FindRegrets(const std::vector<PastRemoval>& removals,
                                const std::vector<UsageRecord>& records);

}  // namespace ebb::image
