#include "image/report.h"

namespace ebb::image {

std::string_view Code(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRemoved: return "removed";
    case Outcome::kGone: return "gone";
    case Outcome::kHeld: return "held";
    case Outcome::kFailed: return "failed";
    case Outcome::kCameInUse: return "came-in-use";
    case Outcome::kRestored: return "restored";
    case Outcome::kRaced: return "raced";
    case Outcome::kNotTried: return "not-tried";
  }
  return "";
}

std::string_view Code(Ending ending) {
  switch (ending) {
    case Ending::kNothingToDo: return "nothing-to-do";
    case Ending::kReached: return "reached";
    case Ending::kNotReached: return "not-reached";
    case Ending::kInterrupted: return "interrupted";
    case Ending::kStopped: return "stopped";
  }
  return "";
}

}  // namespace ebb::image
