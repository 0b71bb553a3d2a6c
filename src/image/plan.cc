#include "image/plan.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "base/text.h"
#include "image/back_off.h"
#include "image/choose.h"
#include "image/classes.h"
#include "image/need.h"
#include "image/repository.h"
#include "image/superseded.h"

namespace ebb::image {
namespace {

class Decision {
 public:
  Decision(const Observation& seen, const Policy& policy, const Target& target)
      : seen_(seen), policy_(policy), need_(NeedOf(seen, policy, target)), alone_(seen.store) {
    plan_.target = target;
    plan_.policy = policy.removal;
    plan_.filesystem = need_.filesystem;
    plan_.marks = need_.marks;
    plan_.need = need_.bytes;
  }

  Plan Make() && {
    Filter();
    if (plan_.conclusion != Conclusion::kInDoubt) Take();
    WriteVerdicts();
    if (plan_.conclusion == Conclusion::kNotReached) {
      plan_.notes.insert(plan_.notes.begin() + reach_note_ + 1,
                         WhoHoldsTheDisk(ClassifyBytes(seen_, plan_)));
    }
    return std::move(plan_);
  }

 private:
  void Filter() {
    Protection protection = Protect(seen_, policy_);
    shields_ = std::move(protection.shields);
    // Minimum ages of nothing are for emergencies, and somebody who has repaired something.
    const bool emergency = policy_.min_seen_age == base::Duration::zero() &&
                           policy_.min_idle_age == base::Duration::zero();
    for (std::size_t i = 0; i < shields_.size() && !emergency; ++i) {
      if (!shields_[i]) shields_[i] = BackOff(seen_.images[i], seen_.taken_at);
    }
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < shields_.size(); ++i) {
      if (!shields_[i]) free.push_back(i);
    }
    free_ = InEvictionOrder(seen_, std::move(free));
    kept_.assign(seen_.images.size(), Reason::kNotNeeded);
    reason_of_going_.resize(seen_.images.size());
    family_.resize(seen_.images.size());
    superseded_ = SupersededBy(seen_.images);
    if (need_.filesystem < 0 && IsAboutBytes(plan_.target)) {
      protection.doubts.emplace_back("no image filesystem could be measured");
    }
    DoubtTheSilent(protection.doubts);
    for (const std::string& doubt : protection.doubts) {
      plan_.notes.push_back("nothing is removed: " + doubt);
      plan_.conclusion = Conclusion::kInDoubt;
    }
  }

  // A pod source that says nothing may know who needs any image; where the kubelet is about to
  // evict pods there is no time to wait for it (P2).
  void DoubtTheSilent(std::vector<std::string>& doubts) {
    const bool critical = AboveCritical();
    for (const std::string& source : seen_.pods.silent) {
      if (!critical) doubts.push_back("which pods need images is not known: " + source);
      if (critical) plan_.notes.push_back(AboveCriticalText() + "not waiting for " + source);
    }
  }

  bool AboveCritical() const {
    if (need_.filesystem < 0) return false;
    return UsedPercent(seen_.filesystems[static_cast<std::size_t>(need_.filesystem)]) >=
           plan_.marks.critical;
  }

  std::string AboveCriticalText() const {
    return "above the critical mark of " + std::to_string(plan_.marks.critical.value) + "%: ";
  }

  void Take() {
    TakeAged();
    TakeSurplus();
    plan_.conclusion = going_.empty() ? Conclusion::kNothingToDo : Conclusion::kReached;
    if (need_.bytes.count > 0) TakeBytes();
    if (going_.empty()) ExplainEmpty();
  }

  // Age is counted from the last sign of life, so an image never used counts from first seen.
  void TakeAged() {
    const bool all = plan_.target.kind == Target::Kind::kAllUnused;
    const bool asked = plan_.target.kind == Target::Kind::kUnusedFor;
    for (const std::size_t i : free_) {
      const auto limit = asked ? plan_.target.age : AgeLimit(seen_.images[i]);
      if (all) {
        Go(i, Reason::kAllUnused);
      } else if (limit && Idle(i) > *limit) {
        Go(i, Reason::kUnusedFor);
      }
    }
  }

  // More images than the node is to have: the least recently used go.
  void TakeSurplus() {
    if (plan_.target.kind != Target::Kind::kImages) return;
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(0, plan_.target.count));
    for (const std::size_t i : free_) {
      if (seen_.images.size() - going_.size() <= most) return;
      if (!Going(i)) Go(i, Reason::kTooMany);
    }
  }

  std::optional<base::Duration> AgeLimit(const Image& image) const {
    for (const AgeRule& rule : policy_.unused_for) {
      if (rule.pattern.Matches(image)) return rule.age;
    }
    if (policy_.max_idle_age == base::Duration::zero()) return std::nullopt;
    return policy_.max_idle_age;
  }

  void TakeBytes() {
    const Reason reason =
        plan_.target.kind == Target::Kind::kMarks ? Reason::kOverMark : Reason::kAsked;
    plan_.conclusion = Conclusion::kReached;
    if (seen_.store.Freed(going_) >= need_.bytes) return;
    Chosen chosen = ChooseAmongFree();
    if (chosen.removals.empty() && ReleasePreferred()) chosen = ChooseAmongFree();
    if (chosen.removals.empty()) chosen.removals = OutOfReach();
    for (const std::size_t i : chosen.removals) Go(i, reason);
    for (const Family& family : chosen.families) Tell(family);
    plan_.proved_within = chosen.within;
  }

  Chosen ChooseAmongFree() const {
    const std::vector<std::size_t> rest = Remaining();
    return ChooseRemovals(seen_, policy_.removal,
                          {.gone = going_, .unused = rest, .need = need_.bytes}, superseded_);
  }

  // Images that are only kept if possible are free where the kubelet is about to evict pods.
  bool ReleasePreferred() {
    if (!AboveCritical()) return false;
    std::vector<std::size_t> free = free_;
    for (std::size_t i = 0; i < shields_.size(); ++i) {
      // What is backed off is free, too, and only waits.
      if (!shields_[i] || TierOf(shields_[i]->reason) == Tier::kNever) continue;
      shields_[i].reset();
      free.push_back(i);
    }
    if (free.size() == free_.size()) return false;
    plan_.notes.push_back(AboveCriticalText() + base::Count(free.size() - free_.size(), "image") +
                          " kept only if possible, or tried in vain lately, may go as well");
    free_ = InEvictionOrder(seen_, std::move(free));
    return true;
  }

  void Tell(const Family& family) {
    for (const std::size_t i : family.images) family_[i] = plan_.families.size();
    plan_.families.push_back({.label = FamilyLabel(seen_.images, family),
                              .images = family.images.size(),
                              .frees = family.frees,
                              .cost = family.cost});
  }

  // P12: the node is not emptied for a target that cannot be met.
  std::vector<std::size_t> OutOfReach() {
    plan_.conclusion = Conclusion::kNotReached;
    std::vector<std::size_t> chosen;
    for (const std::size_t i : Remaining()) {
      if (Idle(i) < policy_.long_idle) {
        kept_[i] = Reason::kNotLongIdle;
      } else if (!CanComeBack(seen_.images[i])) {
        kept_[i] = Reason::kCannotComeBack;
      } else {
        chosen.push_back(i);
      }
    }
    const base::Bytes most = seen_.store.Freed(free_);
    WithoutUseless(chosen);
    reach_note_ = std::ssize(plan_.notes);
    plan_.notes.push_back("the target is out of reach: all unused images together hold about " +
                          base::FormatBytes(most) + " of the " + base::FormatBytes(need_.bytes) +
                          " to free; something else fills the disk");
    return chosen;
  }

  // Nothing goes that frees nothing beside the others: the most recently used is asked first.
  void WithoutUseless(std::vector<std::size_t>& chosen) {
    FreedSoFar freed(seen_.store);
    for (const std::size_t i : going_) (void)freed.Add(i);
    for (const std::size_t i : chosen) (void)freed.Add(i);
    for (std::size_t at = chosen.size(); at-- > 0;) {
      const std::size_t i = chosen[at];
      if (freed.Loss(i).count > 0) continue;
      freed.PutBack(i);
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  std::vector<std::size_t> Remaining() const {
    std::vector<std::size_t> rest;
    std::ranges::copy_if(free_, std::back_inserter(rest), [&](std::size_t i) { return !Going(i); });
    return rest;
  }

  void ExplainEmpty() {
    const bool wanted = need_.bytes.count > 0 || !IsAboutBytes(plan_.target);
    const auto young = std::ranges::count_if(
        shields_, [](const auto& shield) { return shield && shield->reason == Reason::kTooYoung; });
    if (!wanted || !free_.empty() || young == 0) return;
    plan_.notes.push_back("every unused image (" + std::to_string(young) +
                          ") is younger than the minimum ages; in an emergency --min-age 0s "
                          "makes them free");
  }

  void WriteVerdicts() {
    plan_.verdicts.reserve(seen_.images.size());
    FreedSoFar freed(seen_.store);
    for (const std::size_t i : going_) {
      const base::Bytes marginal = freed.Add(i);
      plan_.verdicts.push_back({.image = i,
                                .remove = true,
                                .reason = *reason_of_going_[i],
                                .detail = IdleText(i),
                                .frees = marginal,
                                .total = freed.total(),
                                .family = family_[i],
                                .superseded_by = superseded_[i]});
    }
    plan_.removals = going_.size();
    plan_.predicted = freed.total();
    if (need_.bytes.count > 0) {
      plan_.overshoot = std::max(base::Bytes{}, freed.total() - need_.bytes);
    }
    Reserve();
    for (const std::size_t i : free_) {
      if (!Going(i)) Keep(i, KeptReason(i), IdleText(i));
    }
    for (const std::size_t i : ProtectedInOrder())
      Keep(i, shields_[i]->reason, shields_[i]->detail);
  }

  void Reserve() {
    if (plan_.conclusion != Conclusion::kReached || need_.bytes.count == 0) return;
    plan_.reserve = free_.size() - going_.size();
  }

  Reason KeptReason(std::size_t i) const {
    return plan_.conclusion == Conclusion::kInDoubt ? Reason::kInDoubt : kept_[i];
  }

  std::vector<std::size_t> ProtectedInOrder() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < shields_.size(); ++i) {
      if (shields_[i]) order.push_back(i);
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      if (shields_[a]->reason != shields_[b]->reason)
        return shields_[a]->reason < shields_[b]->reason;
      const Image& x = seen_.images[a];
      const Image& y = seen_.images[b];
      return std::tie(x.id, DisplayName(x)) < std::tie(y.id, DisplayName(y));
    });
    return order;
  }

  void Keep(std::size_t i, Reason reason, std::string detail) {
    plan_.verdicts.push_back({.image = i,
                              .reason = reason,
                              .detail = std::move(detail),
                              .frees = alone_.Marginal(i),
                              .superseded_by = superseded_[i]});
  }

  void Go(std::size_t i, Reason reason) {
    going_.push_back(i);
    reason_of_going_[i] = reason;
  }
  bool Going(std::size_t i) const { return reason_of_going_[i].has_value(); }
  std::string IdleText(std::size_t i) const {
    if (Idle(i) < std::chrono::seconds(1)) return "seen just now";
    return "idle for " + base::FormatAge(Idle(i));
  }
  base::Duration Idle(std::size_t i) const {
    return seen_.taken_at - LastSignOfLife(seen_.images[i]);
  }

  const Observation& seen_;
  const Policy& policy_;
  Need need_;
  FreedSoFar alone_;  // nothing added: Marginal() is what one image alone frees
  Plan plan_;
  std::vector<std::optional<Shield>> shields_;
  std::vector<std::size_t> free_;   // in eviction order
  std::vector<std::size_t> going_;  // in order of removal
  std::vector<std::optional<Reason>> reason_of_going_;
  std::vector<Reason> kept_;
  std::ptrdiff_t reach_note_ = 0;  // place of the note that the target is out of reach
  std::vector<std::optional<std::size_t>> family_;      // per image: index into Plan::families
  std::vector<std::optional<std::size_t>> superseded_;  // per image
};

}  // namespace

Plan Decide(const Observation& seen, const Policy& policy, const Target& target) {
  return Decision(seen, policy, target).Make();
}

}  // namespace ebb::image
