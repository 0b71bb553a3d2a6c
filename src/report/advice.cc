#include "report/advice.h"

#include <algorithm>

namespace ebb::report {
namespace {

using image::Reason;

// How long until both minimum ages are over.
base::Duration UntilOldEnough(const image::Observation& seen, const image::Policy& policy,
                              const image::Image& image) {
  base::Duration wait = policy.min_seen_age - (seen.taken_at - image.usage.first_seen);
  if (image.usage.last_used != base::kNever) {
    wait = std::max(wait, policy.min_idle_age - (seen.taken_at - image.usage.last_used));
  }
  return std::max(wait, base::Duration{});
}

std::string AdviceToRemove(const image::Observation& seen, const image::Policy& policy,
                           const image::Verdict& verdict) {
  const image::Image& image = seen.images.at(verdict.image);
  switch (verdict.reason) {
    case Reason::kInUse:
      return "its containers would have to go first; exited ones count until the kubelet removes "
             "them";
    case Reason::kImageVolume: return "the pods that mount it would have to go first";
    case Reason::kSandbox:
      return "the runtime would have to use another sandbox image, and no sandbox this one";
    case Reason::kPinned: return "it would have to be unpinned in the runtime, under all its names";
    case Reason::kGuarded: return "the guard would have to release it";
    case Reason::kProtectRule: return "the protect rule would have to leave the configuration";
    case Reason::kSelf: return "ebb would have to run from another image";
    case Reason::kPulling: return "the pull would have to end";
    case Reason::kNeeded: return "the pod that needs it would have to leave this node";
    case Reason::kTooYoung:
      return "wait " + base::FormatAge(UntilOldEnough(seen, policy, image)) +
             ", or use --min-age 0s in an emergency";
    case Reason::kOnlyCopy: return "a registry that this node reaches would have to have it";
    case Reason::kUnresolved: return "the runtime would have to tell what it is";
    case Reason::kInDoubt: return "the doubts about this observation would have to be settled";
    case Reason::kIdleWorkload:
    case Reason::kKeepNewest:
    case Reason::kUnknownSource: return "the disk would have to be above the critical mark";
    case Reason::kNotNeeded: return "a larger target, for example --all-unused, would reach it";
    case Reason::kNotLongIdle:
      return "it would have to be idle for " + base::FormatDuration(policy.long_idle) +
             ", or be asked for with --all-unused";
    case Reason::kCannotComeBack:
      return "it would need a digest in a registry off this node, or --all-unused";
    case Reason::kBeyondLimit: return "a later run takes it, or one with a higher --max-images";
    case Reason::kBackOff: return "a later run tries it again";
    case Reason::kHeld: return "whoever uses it in the runtime would have to let go";
    case Reason::kOverMark:
    case Reason::kAsked:
    case Reason::kUnusedFor:
    case Reason::kAllUnused:
    case Reason::kTooMany: return "a later run takes it";
  }
  return "";
}

}  // namespace

std::string Advice(const image::Observation& seen, const image::Policy& policy,
                   const image::Verdict& verdict) {
  if (!verdict.remove) return AdviceToRemove(seen, policy, verdict);
  return "a protect rule, a pin in the runtime or a container made from it would keep it";
}

}  // namespace ebb::report
