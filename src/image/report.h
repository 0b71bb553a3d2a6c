// A report: the plan, and what really happened.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "image/plan.h"

namespace ebb::image {

enum class Outcome {
  kRemoved,
  kGone,       // somebody else had removed it: as good as done
  kHeld,       // the runtime refuses because it is used: a verdict, not an error
  kFailed,     // an error, in Removal::detail
  kCameInUse,  // found in use by the last look before the removal: not touched
  kRestored,   // came into use while it was being removed, and was brought back: nothing was lost
  kRaced,      // came into use while it was being removed: reported, see detail
  kNotTried,   // the target was reached before its turn, or the run ended
};

std::string_view Code(Outcome outcome);

struct Removal {
  std::size_t image = 0;
  Outcome outcome = Outcome::kNotTried;
  std::string detail;
  base::Bytes predicted;
  bool no_room = false;  // it failed for want of disk: once others made room it may succeed
};

enum class Ending {
  kNothingToDo,
  kReached,      // measured: at or below the target
  kNotReached,   // every removal done, target not met
  kInterrupted,  // stopped by a signal after a whole batch
  kStopped,      // an error that made going on unsafe, in Report::problem
};

std::string_view Code(Ending ending);

struct Report {
  base::TimePoint started = base::kNever;
  base::TimePoint finished = base::kNever;
  std::string trigger = "collect";  // stable code of what began it; the CLI's are all "collect"
  Plan plan;
  std::vector<Removal> removals;  // one per plan removal, same order
  base::Bytes predicted;          // of what was really removed
  base::Bytes measured;           // available bytes gained on the plan's filesystem
  Filesystem before;
  Filesystem after;
  Ending ending = Ending::kNothingToDo;
  std::string problem;
  base::ErrorCode problem_code = base::ErrorCode::kInternal;  // of `problem`
  int batches = 0;
};

}  // namespace ebb::image
