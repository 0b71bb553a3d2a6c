// What the loop does with one pass.
#include <algorithm>
#include <utility>

#include "daemon/loop.h"
#include "daemon/tell.h"
#include "history/history.h"
#include "image/need.h"

namespace ebb::daemon {
namespace {

constexpr base::Duration kPassBudget = std::chrono::minutes(10);
// P9: the first run that may remove anything is a small one.
constexpr std::size_t kFirstRun = 10;
constexpr std::string_view kFirstRunKey = "first-enforcing-run";

std::string_view OutcomeOf(const image::Report& report) {
  switch (report.ending) {
    case image::Ending::kNothingToDo: return "noop";
    case image::Ending::kReached: return "success";
    case image::Ending::kNotReached: return "partial";
    case image::Ending::kInterrupted: return "interrupted";
    case image::Ending::kStopped: return "failed";
  }
  return "";
}

void CountDead(const image::DeadPlan& plan, const engine::DeadReport& report,
               report::RunTotals& totals) {
  for (const engine::DeadRemoval& removal : report.removals) {
    if (removal.outcome != image::Outcome::kRemoved) continue;
    ++totals.dead_removed[plan.things[removal.thing].kind];
  }
  totals.dead_freed += report.freed;
}

void CountRun(const engine::Pass& pass, report::RunTotals& totals, base::TimePoint now) {
  const image::Report& report = *pass.report;
  ++totals.runs[{std::string(Code(pass.demand->trigger)), std::string(OutcomeOf(report))}];
  for (std::size_t i = 0; i < report.removals.size(); ++i) {
    const image::Outcome outcome = report.removals[i].outcome;
    if (outcome == image::Outcome::kRemoved) {
      ++totals.removed[report.plan.verdicts[i].reason];
    } else if (outcome != image::Outcome::kGone && outcome != image::Outcome::kNotTried) {
      ++totals.failed[outcome];
    }
  }
  totals.planned += report.plan.predicted;
  totals.predicted += report.predicted;
  totals.freed += std::max(base::Bytes{}, report.measured);
  totals.prediction_error = report.predicted - report.measured;
  totals.remove.Add(pass.removing);
  if (report.problem.empty()) totals.last_run = now;
}

// Bytes for a target that is about them, else images.
bool CameToSomething(const engine::Pass& pass) {
  if (!pass.report) return false;
  if (image::IsAboutBytes(pass.demand->target)) return pass.report->measured.count > 0;
  return std::ranges::count(pass.report->removals, image::Outcome::kRemoved,
                            &image::Removal::outcome) > 0;
}

}  // namespace

// Ages that a clock made up in a moment remove nothing.
image::Policy Loop::PolicyNow() const {
  image::Policy policy = node_->policy();
  if (clock_watch_ && clock_watch_->Ahead()) {
    policy.max_idle_age = {};
    policy.unused_for.clear();
  }
  return policy;
}

void Loop::Look(const std::vector<image::Demand>& demands) {
  const base::Duration budget = LongestBatch(config_) + kPassBudget;
  engine::PassOptions options{.policy = PolicyNow(),
                              .observe = node_->observe_options(),
                              .enforce = MayRemove(),
                              .recover = recover_,
                              .most = FirstRunIsOver() ? SIZE_MAX : kFirstRun,
                              .stopped =
                                  [this] {
                                    ReadPause();
                                    return stop_ || paused_.paused;
                                  },
                              .progress = [this, budget] { Sign(budget); }};
  options.observe.told = told_;
  options.observe.pods = &pods_;
  options.progress();
  auto pass = engine::RunPass(node_->ports(), options, demands);
  if (!pass.ok()) {
    board_.Update([](Shown& shown) { ++shown.totals.observation_errors; });
    schedule_.Failed(Now());
    runtime_failed_ = true;
    return Fail(pass.error());
  }
  if (std::exchange(runtime_failed_, false)) wire_at_ = {};
  told_.clear();
  recover_ = recover_ && (!MayRemove() || !pass->blocked.empty());
  if (pass->report) TakeEvents(engine::Schedule::By::kOurselves);
  schedule_.Looked(Now(), pass->observing, UntilMark());
  const bool by_images = pass->demand && pass->demand->trigger != image::Trigger::kSignal;
  images_press_ = by_images ? image::NameOf(*pass->demand) : "";
  if (!demands.empty() || pass->demand) schedule_.Ran(Now(), CameToSomething(*pass));
  Took(std::move(*pass));
}

void Loop::Took(engine::Pass pass) {
  Tell(pass);
  board_.Update([&](Shown& shown) {
    shown.totals.last_observation = pass.seen.taken_at;
    shown.totals.observe.Add(pass.observing);
    shown.totals.plan.Add(pass.planning);
    if (pass.dead_report) CountDead(pass.dead, *pass.dead_report, shown.totals);
    if (pass.report) CountRun(pass, shown.totals, clock_.Now());
  });
  if (pass.report) {
    pulse_.ForgetRates();
    for (image::Filesystem& fs : pass.seen.filesystems) fs.bytes_per_second.reset();
    RememberFirstRun(*pass.report);
  }
  largest_pull_ = image::LargestRecentPull(pass.seen);
  pulse_.Watch(pass.seen.filesystems, node_->policy().marks);
  Keep(pass.seen);
  auto view = std::make_shared<const View>(View{.seen = std::move(pass.seen),
                                                .policy = node_->policy(),
                                                .plan = std::move(pass.plan),
                                                .dead = std::move(pass.dead),
                                                .at = Now()});
  if (guard_) guard_->Look({view, &view->seen});
  board_.Update([&](Shown& shown) {
    shown.view = std::move(view);
    shown.trouble.clear();
  });
}

// Samples of the disk and, now and then, what the history need not keep any longer. A history that
// cannot be written stops nothing.
void Loop::Keep(const image::Observation& seen) {
  if (!history_) return;
  constexpr base::Duration kForgetEvery = std::chrono::hours(1);
  for (const image::Filesystem& fs : seen.filesystems) {
    (void)history_->SaveSample(fs, seen.taken_at);
  }
  CountRegrets(seen.images.size());
  if (Now() < forget_at_ || clock_watch_->Ahead()) return;
  (void)history_->Forget(seen.taken_at);
  forget_at_ = Now() + kForgetEvery;
}

// Of the removals since the start, so that the figure only grows. One more regret is one more
// image.
void Loop::CountRegrets(std::size_t images) {
  if (std::exchange(counted_, images) == images) return;
  const auto regrets = history_->Regrets({.since = started_});
  if (!regrets.ok()) return;
  board_.Update([&](Shown& shown) {
    shown.totals.regrets = std::max<std::uint64_t>(shown.totals.regrets, regrets->size());
  });
}

void Loop::Tell(const engine::Pass& pass) {
  last_trouble_.clear();
  for (const std::string& told : pass.told) Say(Level::kWarning, told);
  std::vector<std::string> trouble = TellTrouble(pass);
  std::ranges::copy(node_->warnings(), std::back_inserter(trouble));
  if (const auto ahead = clock_watch_->Ahead()) {
    trouble.push_back("the clock went ahead by " + base::FormatAge(*ahead) +
                      ": for a day no image is removed for its age");
  }
  for (const std::string& line : news_.Fresh(std::move(trouble))) Say(Level::kWarning, line);
  if (pass.dead_report) {
    for (const auto& line : TellDead(pass.dead, *pass.dead_report)) Say(Level::kInfo, line);
  }
  if (pass.report) {
    for (const auto& line : TellRun(pass.seen, *pass.demand, *pass.report)) {
      Say(Level::kInfo, line);
    }
    return last_refusal_.clear();
  }
  TellWouldBe(pass);
}

// What would be done is told when it changes, not at every pass.
void Loop::TellWouldBe(const engine::Pass& pass) {
  if (!pass.demand || MayRemove()) return last_refusal_.clear();
  const auto lines = TellPlan(pass.seen, *pass.demand, pass.plan, WhyNot());
  std::string all;
  for (std::size_t v = 0; v < pass.plan.removals; ++v) {
    all += pass.seen.images[pass.plan.verdicts[v].image].id.value + "\n";
  }
  if (std::exchange(last_refusal_, all) == all) return;
  for (const std::string& line : lines) Say(Level::kInfo, line);
}

bool Loop::MayRemove() const {
  // Which of several runtimes is meant, nobody has said.
  const bool sure = node_ && node_->other_runtimes().empty();
  return config_.mode == config::Mode::kEnforce && !paused_.paused && sure;
}

std::string Loop::WhyNot() const {
  if (paused_.paused) return "paused";
  if (config_.mode != config::Mode::kEnforce) return "mode is observe";
  return "another container runtime answers at " + node_->other_runtimes().front() +
         ", name one in runtimeEndpoint";
}

bool Loop::FirstRunIsOver() {
  if (first_run_over_ || !history_) return first_run_over_;
  const auto known = history_->Recall(kFirstRunKey);
  first_run_over_ = known.ok() && known->has_value();
  return first_run_over_;
}

void Loop::RememberFirstRun(const image::Report& report) {
  if (first_run_over_ || report.removals.empty()) return;
  first_run_over_ = true;
  if (history_) (void)history_->Remember(kFirstRunKey, base::FormatTime(report.finished));
}

std::optional<base::Duration> Loop::UntilMark() const {
  std::optional<base::Duration> soonest;
  for (const auto& [mountpoint, outlook] : board_.Read().outlooks) {
    // Beyond the mark it is the run that says when it is worth looking again.
    if (!outlook.until_high || *outlook.until_high == base::Duration{}) continue;
    if (!soonest || *outlook.until_high < *soonest) soonest = outlook.until_high;
  }
  return soonest;
}

}  // namespace ebb::daemon
