#include "engine/pass.h"

#include <algorithm>
#include <utility>

#include "engine/claims.h"
#include "engine/collect.h"
#include "engine/recover.h"
#include "engine/sweep.h"
#include "image/plan.h"

namespace ebb::engine {
namespace {

class OnePass {
 public:
  OnePass(const Ports& ports, const PassOptions& options) : ports_(ports), options_(options) {}

  base::Result<Pass> Run(std::span<const image::Demand> demands) {
    const base::Duration start = ports_.clock->Elapsed();
    if (options_.enforce && options_.recover) {
      if (auto alone = BeAlone(); !alone.ok()) return alone.error();
    }
    if (auto looked = Look(); !looked.ok()) return looked.error();
    pass_.observing = ports_.clock->Elapsed() - start;
    Decide(demands);
    if (PodsMatter()) {
      AskForPods();
      Decide(demands);
    }
    pass_.planning = ports_.clock->Elapsed() - start - pass_.observing;
    if (options_.enforce && pass_.blocked.empty() && HasWork()) {
      if (auto acted = Act(demands); !acted.ok()) return acted.error();
    }
    return std::move(pass_);
  }

 private:
  // Whoever looks is in nobody's way; whoever removes is alone, and has looked since he is.
  base::Status Act(std::span<const image::Demand> demands) {
    if (auto alone = BeAlone(); !alone.ok() || held_ == nullptr) return alone;
    if (options_.observe.pods != nullptr) options_.observe.pods->Expire();
    if (auto looked = Look(); !looked.ok()) return looked;
    const bool swept = SweptAway();
    const bool reclaimed = ReclaimedDead();
    if (swept || reclaimed) {
      if (auto looked = Look(); !looked.ok()) return looked;
    }
    Decide(demands);
    if (pass_.demand && pass_.plan.removals > 0) Remove();
    if (pass_.dead_report) pass_.dead = std::move(dead_);
    return base::Done{};
  }

  base::Status Look() {
    auto seen = Observe(ports_, options_.observe);
    if (!seen.ok()) return seen.error();
    pass_.seen = std::move(*seen);
    LookForDead();
    return base::Done{};
  }

  void LookForDead() {
    if (ports_.logs != nullptr) ReadLogs(*ports_.logs, pass_.seen);
    DecideDead();
  }

  void DecideDead() {
    image::DeadPolicy policy = options_.policy.dead;
    policy.remove = policy.remove && options_.enforce && ports_.containers != nullptr;
    pass_.dead = image::DecideDead(pass_.seen, policy);
  }

  // For months of looks at which nothing would go, what pod sources said before is good enough.
  bool PodsMatter() const {
    if (options_.observe.pods == nullptr) return false;  // they were asked by this look
    if (pass_.plan.removals > 0) return true;
    using enum image::DeadReason;
    return std::ranges::any_of(pass_.dead.things, [](const image::DeadThing& thing) {
      return thing.reason == kPodGone || thing.reason == kUnknownPodRuns ||
             thing.reason == kNoPodRuns;
    });
  }

  void AskForPods() {
    options_.observe.pods->Expire();
    ReadClaims(ports_, *options_.observe.pods, pass_.seen);
    DecideDead();
  }

  bool DeadMayGo() const {
    return std::ranges::any_of(pass_.dead.things, [](const image::DeadThing& thing) {
      return thing.verdict == image::DeadVerdict::kGoes;
    });
  }

  // Before images: an image that only a dead container used is free from then on.
  bool ReclaimedDead() {
    if (!DeadMayGo()) return false;
    pass_.dead_report = ReclaimDead({.clock = *ports_.clock,
                                     .runtime = *ports_.runtime,
                                     .remover = *ports_.containers,
                                     .filesystems = *ports_.filesystems,
                                     .logs = ports_.logs},
                                    pass_.dead, options_.stopped);
    dead_ = pass_.dead;
    return true;
  }

  // Takes the run lock and completes what a crash left; somebody else's lock is no error.
  base::Status BeAlone() {
    if (held_) return base::Done{};
    auto lock = ports_.lock->Acquire();
    if (!lock.ok()) {
      pass_.blocked = lock.error().message;
      return base::Done{};
    }
    held_ = std::move(*lock);
    auto completed = CompleteLeftovers(ports_, options_.observe);
    if (!completed.ok()) return completed.error();
    pass_.told = std::move(*completed);
    CloseUnfinished();
    return base::Done{};
  }

  bool HasWork() const {
    return (pass_.demand && pass_.plan.removals > 0) || DeadMayGo() || MaySweep(ports_, pass_.seen);
  }

  // Leaked content goes before any image does. A sweep that fails stops nothing.
  bool SweptAway() {
    const auto swept = Sweep(ports_, pass_.seen);
    if (!swept.ok()) {
      pass_.told.push_back(swept.error().message);
      return false;
    }
    if (swept->count > 0) {
      pass_.told.push_back("the runtime collected about " + base::FormatBytes(*swept) +
                           " that nobody kept any more");
    }
    return swept->count > 0;
  }

  // The first demand for which something may go; else what the first one comes to.
  void Decide(std::span<const image::Demand> demands) {
    pass_.demand.reset();
    std::vector<image::Demand> all(demands.begin(), demands.end());
    std::ranges::copy(image::DemandsOfImages(pass_.seen, options_.policy), std::back_inserter(all));
    std::optional<image::Plan> first;
    for (image::Demand& demand : all) {
      if (!demand.by_images) continue;
      image::Plan plan = Cut(image::Decide(pass_.seen, options_.policy, demand.target));
      if (plan.removals > 0) {
        pass_.plan = std::move(plan);
        pass_.demand = std::move(demand);
        return;
      }
      if (!first) first = std::move(plan);
    }
    pass_.plan = first ? *std::move(first) : image::Decide(pass_.seen, options_.policy, {});
  }

  image::Plan Cut(image::Plan plan) const {
    image::BlastRadius radius = options_.policy.radius;
    radius.max_images = std::min(radius.max_images, options_.most);
    return image::CutToRadius(std::move(plan), pass_.seen, radius);
  }

  void Remove() {
    const base::Duration start = ports_.clock->Elapsed();
    image::BlastRadius radius = options_.policy.radius;
    radius.max_images = std::min(radius.max_images, options_.most);
    pass_.report = engine::Collect(ports_, pass_.seen, pass_.plan, options_.observe,
                                   {.limit = image::RemovalLimit(pass_.plan, pass_.seen, radius),
                                    .trigger = std::string(Code(pass_.demand->trigger)),
                                    .max_bytes = radius.max_bytes,
                                    .stopped = options_.stopped,
                                    .progress = [this](std::size_t, base::Bytes) {
                                      if (options_.progress) options_.progress();
                                    }});
    pass_.removing = ports_.clock->Elapsed() - start;
  }

  // What a crash left undone shows in the listing of this pass; the record is closed.
  void CloseUnfinished() {
    if (ports_.history == nullptr) return;
    const auto unfinished = ports_.history->Unfinished();
    if (!unfinished.ok()) return;
    for (const Intent& intent : *unfinished) {
      pass_.told.push_back("a run of " + base::FormatTime(intent.time) +
                           " was cut off in the middle of a removal");
      const auto closed = ports_.history->Finish(intent.batch, {});
      if (!closed.ok()) pass_.told.push_back(closed.error().message);
    }
  }

  const Ports& ports_;
  const PassOptions& options_;
  std::unique_ptr<RunLock::Guard> held_;
  image::DeadPlan dead_;  // what the report of dead things is about
  Pass pass_;
};

}  // namespace

base::Result<Pass> RunPass(const Ports& ports, const PassOptions& options,
                           std::span<const image::Demand> demands) {
  return OnePass(ports, options).Run(demands);
}

}  // namespace ebb::engine
