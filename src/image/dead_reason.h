// Why what has ended stays or goes. Codes are stable, as those of image/reason.h.
#pragma once

#include <span>
#include <string_view>

namespace ebb::image {

enum class DeadReason {
  kRuns,
  kUnknownState,
  // nothing of the node goes
  kInDoubt,
  kNotAsked,
  kNotAnswered,
  kUnknownPodRuns,
  kNoPodRuns,
  // this thing stays
  kNoPod,
  kPodKnown,
  kStaticPodKnown,
  kSurplus,
  kNotEmpty,
  kTooYoung,
  // and this one goes
  kPodGone,
};

// "runs", "pod-known", ...
std::string_view Code(DeadReason reason);

// One sentence for an operator.
std::string_view Meaning(DeadReason reason);

// Every reason once, in the order above.
std::span<const DeadReason> AllDeadReasons();

enum class DeadVerdict {
  kAlive,    // not dead at all
  kStays,    // dead, and kept
  kWouldGo,  // dead and unwanted, but removing was not opted for
  kGoes,
};

// "alive", "stays", "would-go", "goes".
std::string_view Code(DeadVerdict verdict);

}  // namespace ebb::image
