#include "image/reason.h"

#include <algorithm>
#include <array>

namespace ebb::image {
namespace {

struct Entry {
  Reason reason;
  Tier tier;
  std::string_view code;
  std::string_view meaning;
};

using enum Reason;

constexpr std::array kEntries = {
    Entry{kInUse, Tier::kNever, "in-use", "a container, in whatever state, uses it"},
    Entry{kImageVolume, Tier::kNever, "image-volume", "a container mounts it as a volume"},
    Entry{kSandbox, Tier::kNever, "sandbox",
          "it is the sandbox (pause) image: without it no pod can start"},
    Entry{kPinned, Tier::kNever, "pinned", "the runtime reports it as pinned"},
    Entry{kGuarded, Tier::kNever, "guarded", "it is guarded by ebb"},
    Entry{kProtectRule, Tier::kNever, "protect-rule",
          "a protect rule of the configuration names it"},
    Entry{kSelf, Tier::kNever, "self", "ebb itself runs from it"},
    Entry{kPulling, Tier::kNever, "pulling", "it is being pulled"},
    Entry{kNeeded, Tier::kNever, "needed", "a pod bound to this node needs it"},
    Entry{kTooYoung, Tier::kNever, "too-young", "it is younger than the minimum ages"},
    Entry{kOnlyCopy, Tier::kNever, "only-copy", "it is proven not to be available anywhere else"},
    Entry{kUnresolved, Tier::kNever, "unresolved", "something about it could not be looked up"},
    Entry{kInDoubt, Tier::kNever, "in-doubt", "what was observed cannot be trusted as a whole"},
    Entry{kIdleWorkload, Tier::kPreferKeep, "idle-workload",
          "a workload that does not run just now will want it again"},
    Entry{kKeepNewest, Tier::kPreferKeep, "keep-newest",
          "it is among the newest of its repository"},
    Entry{kUnknownSource, Tier::kPreferKeep, "unknown-source",
          "it is not known whether it can be had again"},
    Entry{kNotNeeded, Tier::kFree, "not-needed", "unused, but the target is reached without it"},
    Entry{kNotLongIdle, Tier::kFree, "not-long-idle",
          "the target is out of reach, so only what is long idle goes, and it is not"},
    Entry{kCannotComeBack, Tier::kFree, "cannot-come-back",
          "the target is out of reach, so only what a registry can replace goes, and it is not"},
    Entry{kBeyondLimit, Tier::kFree, "beyond-limit",
          "the run's limits were reached before its turn"},
    Entry{kBackOff, Tier::kFree, "back-off", "its removal failed lately and is tried again later"},
    Entry{kHeld, Tier::kFree, "held", "the runtime refuses to remove it"},
    Entry{kOverMark, Tier::kFree, "over-mark", "unused, and the disk is above its high mark"},
    Entry{kAsked, Tier::kFree, "asked", "unused, and this much space was asked for"},
    Entry{kUnusedFor, Tier::kFree, "unused-for", "unused for longer than the age that was set"},
    Entry{kAllUnused, Tier::kFree, "all-unused", "unused, and all unused images were asked for"},
    Entry{kTooMany, Tier::kFree, "too-many", "unused, and the node has more images than it is to"},
};

const Entry& Find(Reason reason) {
  return *std::ranges::find(kEntries, reason, &Entry::reason);
}

constexpr auto kReasons = [] {
  std::array<Reason, kEntries.size()> all{};
  std::ranges::transform(kEntries, all.begin(), &Entry::reason);
  return all;
}();

}  // namespace

std::string_view Code(Reason reason) {
  return Find(reason).code;
}
std::string_view Meaning(Reason reason) {
  return Find(reason).meaning;
}
Tier TierOf(Reason reason) {
  return Find(reason).tier;
}
std::span<const Reason> AllReasons() {
  return kReasons;
}

std::string_view Code(Tier tier) {
  switch (tier) {
    case Tier::kNever: return "never";
    case Tier::kPreferKeep: return "prefer-keep";
    case Tier::kFree: return "free";
  }
  return "";
}

}  // namespace ebb::image
