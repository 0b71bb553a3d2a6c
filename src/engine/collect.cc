#include "engine/collect.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/batch.h"
#include "image/batch.h"
#include "image/need.h"

namespace ebb::engine {
namespace {

using image::Ending;
using image::Outcome;
using image::Removal;

class Collection {
 public:
  Collection(const Ports& ports, const image::Observation& seen, const image::Plan& plan,
             const ObserveOptions& observed, const CollectOptions& options)
      : ports_(ports),
        seen_(seen),
        options_(options),
        batches_(ports, seen, observed),
        really_(seen.store) {
    report_.plan = plan;
    report_.trigger = options.trigger;
    report_.started = ports.clock->Now();
    image::FreedSoFar freed(seen.store);
    for (std::size_t v = 0; v < std::max(plan.removals, options.limit); ++v) {
      const std::size_t image = plan.verdicts[v].image;
      predicted_.push_back(freed.Add(image));
      report_.removals.push_back({.image = image, .predicted = predicted_.back()});
    }
    if (plan.filesystem >= 0) {
      report_.before = seen.filesystems[static_cast<std::size_t>(plan.filesystem)];
      report_.after = report_.before;
    }
    // Without exact bytes the first batch is for half the need: it teaches what a prediction is
    // worth before the rest goes.
    if (seen.store.accounting() != image::Accounting::kExact) real_per_predicted_ = 2;
  }

  image::Report Run() && {
    report_.ending = report_.plan.removals == 0 ? Ending::kNothingToDo : Loop();
    if (report_.ending == Ending::kNotReached && NoRoom() > 0) report_.ending = AskAgain();
    const bool doubt = report_.plan.conclusion == image::Conclusion::kInDoubt;
    if (report_.ending == Ending::kNothingToDo && report_.plan.need.count > 0 && !doubt) {
      report_.ending = Ending::kNotReached;
    }
    report_.finished = ports_.clock->Now();
    SettleReserve();
    if (ports_.history != nullptr && report_.plan.removals > 0) {
      const auto recorded = ports_.history->RecordRun(report_, seen_);
      if (!recorded.ok()) Warn(recorded.error().In("the run is not in the history").message);
    }
    return std::move(report_);
  }

 private:
  Ending Loop() {
    while (next_ < report_.removals.size()) {
      if (const auto ending = Enough()) return *ending;
      const auto [done, status] = Batch(std::span(report_.removals).subspan(next_, NextBatch()));
      next_ += done;
      if (options_.progress) options_.progress(next_, report_.measured);
      if (!status.ok()) return Stop(status.error());
    }
    return Conclude();
  }

  // Why no further batch is begun.
  std::optional<Ending> Enough() const {
    if (options_.stopped && options_.stopped()) return Ending::kInterrupted;
    if (ByNeed() && Missing().count <= 0) return Ending::kReached;
    if (options_.max_bytes && report_.measured >= *options_.max_bytes) return Ending::kNotReached;
    if (next_ >= report_.plan.removals && InVain()) return Ending::kNotReached;
    return std::nullopt;
  }

  // A runtime on a full disk may find no room to write down that an image is gone. What others gave
  // back makes that room, so it is asked again, one image at a time, while that brings anything.
  Ending AskAgain() {
    for (std::ptrdiff_t asked = 0, left = NoRoom(); left > 0 && left != asked; left = NoRoom()) {
      asked = left;
      batches_.HoldAgain();
      for (std::size_t i = 0; i < next_; ++i) {
        if (!report_.removals[i].no_room) continue;
        if (const auto ending = Enough()) return *ending;
        const auto status = AskAgain(std::span(report_.removals).subspan(i, 1));
        if (!status.ok()) return Stop(status.error());
      }
    }
    return Conclude();
  }

  base::Status AskAgain(std::span<Removal> one) {
    BatchEnd end = Batch(one);
    if (end.done == 0 && end.status.ok()) end = Batch(one);  // there is no room for a hold yet
    return std::move(end.status);
  }

  std::ptrdiff_t NoRoom() const {
    return std::ranges::count(report_.removals, true, &Removal::no_room);
  }

  Ending Conclude() const {
    const bool met = ByNeed() ? Missing().count <= 0 : Failures() == 0;
    return met ? Ending::kReached : Ending::kNotReached;
  }

  Ending Stop(const base::Error& error) {
    report_.problem = error.message;
    report_.problem_code = error.code;
    return Ending::kStopped;
  }

  // What was taken from the reserve was part of the plan after all; what was not is none of it.
  void SettleReserve() {
    image::Plan& plan = report_.plan;
    const std::size_t planned = plan.removals;
    for (std::size_t v = planned; v < next_; ++v) {
      if (report_.removals[v].outcome == Outcome::kNotTried) break;
      image::Verdict& verdict = plan.verdicts[v];
      verdict.remove = true;
      verdict.reason = plan.verdicts[planned - 1].reason;
      verdict.frees = report_.removals[v].predicted;
      verdict.total = plan.predicted += verdict.frees;
      ++plan.removals;
    }
    plan.reserve = 0;
    report_.removals.resize(plan.removals);
  }

  // Something else fills the disk as fast as it is freed: the reserve is not thrown after it (P12).
  bool InVain() const { return report_.measured.count < report_.predicted.count / 4; }

  bool ByNeed() const { return report_.plan.need.count > 0; }

  // Measured bytes that still have to come free.
  base::Bytes Missing() const {
    return report_.before.available + report_.plan.need - report_.after.available;
  }

  std::ptrdiff_t Failures() const {
    return std::ranges::count(report_.removals, Outcome::kFailed, &Removal::outcome);
  }

  // The plan first; its reserve only by a batch of its own, when the plan has been measured.
  std::size_t NextBatch() const {
    const std::size_t planned = report_.plan.removals;
    const std::size_t end = next_ < planned ? planned : predicted_.size();
    const std::size_t most = batches_.blind() ? options_.max_blind : options_.max_batch;
    return image::NextBatch(std::span(predicted_).subspan(next_, end - next_),
                            {.max_images = std::min(most, affordable_),
                             .by_need = ByNeed(),
                             .need = Missing(),
                             .real_per_predicted = real_per_predicted_});
  }

  // Remove and measure. Whatever happens, what was done is in the report.
  BatchEnd Batch(std::span<Removal> batch) {
    const base::Duration start = ports_.clock->Elapsed();
    auto [done, status] = batches_.Remove(batch);
    if (done == 0) return {0, std::move(status)};
    ++report_.batches;
    auto measured = MeasureBatch(batch, status.ok());
    Pace(batch.size(), ports_.clock->Elapsed() - start);
    return {done, status.ok() ? std::move(measured) : std::move(status)};
  }

  // Fails only where going on needs the measurement: nobody removes for a target he cannot see.
  base::Status MeasureBatch(std::span<const Removal> batch, bool released) {
    if (report_.plan.filesystem < 0) return base::Done{};
    base::Bytes predicted;
    for (const Removal& removal : batch) {
      const bool went = removal.outcome == Outcome::kRemoved || removal.outcome == Outcome::kRaced;
      // What stayed after all keeps what it shares with those that went.
      if (went && released) predicted += really_.Add(removal.image);
    }
    const image::Filesystem now = Settled(predicted);
    if (!now.measured()) {
      const base::Error problem{base::ErrorCode::kInternal, now.mountpoint + ": " + now.problem};
      if (ByNeed()) return problem;
      Warn(problem.message);
      return base::Done{};
    }
    const base::Bytes measured = now.available - report_.after.available;
    real_per_predicted_ = image::Learn(real_per_predicted_, predicted, measured);
    report_.predicted += predicted;
    report_.after.available = now.available;
    report_.after.inodes_free = now.inodes_free;
    report_.measured = report_.after.available - report_.before.available;
    return base::Done{};
  }

  // Some runtimes answer before the bytes are back: wait, bounded, until they are.
  image::Filesystem Settled(base::Bytes predicted) {
    constexpr auto kPoll = std::chrono::milliseconds(100);
    image::Filesystem now = ports_.filesystems->Measure(report_.before.mountpoint);
    if (!seen_.runtime.traits.frees_late) return now;
    const base::Duration start = ports_.clock->Elapsed();
    while (now.measured() && now.available - report_.after.available < predicted &&
           ports_.clock->Elapsed() - start < options_.settle_time) {
      ports_.clock->SleepFor(kPoll);
      now = ports_.filesystems->Measure(report_.before.mountpoint);
    }
    return now;
  }

  // A batch should last no longer than batch_time, so that the last look is never old.
  void Pace(std::size_t images, base::Duration took) {
    if (images == 0 || took <= base::Duration::zero()) return;
    const auto fits = static_cast<std::size_t>(static_cast<double>(images) *
                                               static_cast<double>(options_.batch_time.count()) /
                                               static_cast<double>(took.count()));
    affordable_ = std::max<std::size_t>(1, std::min(fits, options_.max_batch));
  }

  void Warn(const std::string& message) const { ports_.log->Write(Log::Level::kWarning, message); }

  const Ports& ports_;
  const image::Observation& seen_;
  const CollectOptions& options_;
  Batches batches_;
  image::FreedSoFar really_;  // by what went, not by what was planned
  image::Report report_;
  std::vector<base::Bytes> predicted_;
  std::size_t next_ = 0;
  std::size_t affordable_ = SIZE_MAX;
  double real_per_predicted_ = 1;
};

}  // namespace

image::Report Collect(const Ports& ports, const image::Observation& seen, const image::Plan& plan,
                      const ObserveOptions& observed, const CollectOptions& options) {
  return Collection(ports, seen, plan, observed, options).Run();
}

}  // namespace ebb::engine
