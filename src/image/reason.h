// Why an image stays or goes. Codes are stable: scripts, metrics and alerts are built on them.
#pragma once

#include <span>
#include <string_view>

namespace ebb::image {

enum class Tier { kNever, kPreferKeep, kFree };

enum class Reason {
  // never: no target and no emergency removes these
  kInUse,
  kImageVolume,
  kSandbox,
  kPinned,
  kGuarded,
  kProtectRule,
  kSelf,
  kPulling,
  kNeeded,
  kTooYoung,
  kOnlyCopy,
  kUnresolved,
  kInDoubt,
  // prefer-keep: released cheapest first, only above the critical mark
  kIdleWorkload,
  kKeepNewest,
  kUnknownSource,
  // free, and kept all the same
  kNotNeeded,
  kNotLongIdle,
  kCannotComeBack,
  kBeyondLimit,
  kBackOff,
  kHeld,
  // free, and going
  kOverMark,
  kAsked,
  kUnusedFor,
  kAllUnused,
  kTooMany,
};

// "in-use", "protect-rule", ...
std::string_view Code(Reason reason);

// One sentence for an operator.
std::string_view Meaning(Reason reason);

Tier TierOf(Reason reason);
std::string_view Code(Tier tier);

// Every reason once, in the order above.
std::span<const Reason> AllReasons();

}  // namespace ebb::image
