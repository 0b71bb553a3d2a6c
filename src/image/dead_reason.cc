#include "image/dead_reason.h"

#include <algorithm>
#include <array>

namespace ebb::image {
namespace {

struct Entry {
  DeadReason reason;
  std::string_view code;
  std::string_view meaning;
};

using enum DeadReason;

constexpr std::array kEntries = {
    Entry{kRuns, "runs", "it runs, or something of its pod does"},
    Entry{kUnknownState, "unknown-state", "the runtime does not know its state, so it may run"},
    Entry{kInDoubt, "in-doubt", "what was observed cannot be trusted as a whole"},
    Entry{kNotAsked, "pods-not-asked", "no pod source was asked whether its pod is still wanted"},
    Entry{kNotAnswered, "pods-not-answered",
          "a pod source did not answer, and it may know the pod"},
    Entry{kUnknownPodRuns, "unknown-pod-runs",
          "a pod runs here that no pod source knows, so they may not know all"},
    Entry{kNoPodRuns, "no-known-pod-runs",
          "nothing runs here that shows that the pod sources have heard the API server"},
    Entry{kNoPod, "no-pod", "it does not say which pod it belongs to"},
    Entry{kPodKnown, "pod-known", "a pod source knows its pod"},
    Entry{kStaticPodKnown, "static-pod-known",
          "a pod source knows the mirror of its static pod, by the hash of the manifest"},
    Entry{kSurplus, "surplus",
          "more of its kind are left than the limits say, but its pod is known: the kubelet's to "
          "remove"},
    Entry{kNotEmpty, "not-empty", "something else of its pod stays"},
    Entry{kTooYoung, "too-young", "it is younger than the minimum age, or its age is not known"},
    Entry{kPodGone, "pod-gone", "no pod source knows its pod"},
};

const Entry& Find(DeadReason reason) {
  return *std::ranges::find(kEntries, reason, &Entry::reason);
}

constexpr auto kReasons = [] {
  std::array<DeadReason, kEntries.size()> all{};
  std::ranges::transform(kEntries, all.begin(), &Entry::reason);
  return all;
}();

}  // namespace

std::string_view Code(DeadReason reason) {
  return Find(reason).code;
}

std::string_view Meaning(DeadReason reason) {
  return Find(reason).meaning;
}

std::span<const DeadReason> AllDeadReasons() {
  return kReasons;
}

std::string_view Code(DeadVerdict verdict) {
  switch (verdict) {
    case DeadVerdict::kAlive: return "alive";
    case DeadVerdict::kStays: return "stays";
    case DeadVerdict::kWouldGo: return "would-go";
    case DeadVerdict::kGoes: return "goes";
  }
  return "";
}

}  // namespace ebb::image
