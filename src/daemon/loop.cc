#include "daemon/loop.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "history/history.h"
#include "host/idle_io.h"

namespace ebb::daemon {
namespace {

constexpr base::Duration kTick = std::chrono::seconds(1);
constexpr base::Duration kTickBudget = std::chrono::seconds(30);
constexpr base::Duration kLookBudget = std::chrono::minutes(10);
constexpr base::Duration kServeAgain = std::chrono::minutes(1);
constexpr base::Duration kLongestWireWait = std::chrono::minutes(1);
constexpr base::Duration kWireAgain = std::chrono::hours(1);
constexpr std::string_view kClockSeen = "clock-seen";

void CountGuard(const engine::GuardTotals& before, const engine::GuardTotals& now,
                report::RunTotals& totals) {
  totals.guarded = now.guarded;
  totals.guard_restored = before.restored + now.restored;
  totals.guard_failed = before.failed + now.failed;
}

}  // namespace

Loop::Loop(const RunOptions& options, const std::atomic<bool>& stop)
    : options_(options),
      stop_(stop),
      log_(STDERR_FILENO, host::SuitableFormat(STDERR_FILENO), Level::kInfo, clock_),
      endpoints_(board_, clock_, options.version),
      pulse_(board_, clock_, manager_),
      schedule_(clock_.Elapsed()) {}

base::Status Loop::Run() {
  Sign(kLookBudget);
  seen_stamp_ = config_stamp_ = host::StampOf(options_.wire.config);
  auto config = ReadConfig(options_.wire);
  if (!config.ok()) return config.error();
  config_ = std::move(*config);
  board_.Update([&](Shown& shown) { shown.config_time = clock_.Now(); });
  thresholds_ = image::ThresholdWatch(config_.policy.triggers.thresholds);
  host::UseIdleIo();
  Say(Level::kInfo, "ebb " + options_.version + " started, mode " +
                        (config_.mode == config::Mode::kEnforce ? "enforce" : "observe"));
  // Also while no runtime answers: waiting for one is no reason to be restarted.
  manager_.Ready();
  while (!stop_) {
    Tick();
    // Without a runtime nothing can be due.
    const base::Duration next = node_ ? schedule_.NextAt() - Now() : kTick;
    wakeup_.WaitFor(std::clamp<base::Duration>(next, std::chrono::milliseconds(10), kTick));
  }
  manager_.Stopping();
  Say(Level::kInfo, "ebb stopped");
  return base::Done{};
}

void Loop::Tick() {
  Sign(kTickBudget);
  const host::Asked asked = host::Wakeup::TakeAsked();
  if (asked.reload || host::StampOf(options_.wire.config) != seen_stamp_) Reload();
  if (asked.act) schedule_.Ask();
  Serve();
  if (Now() >= wire_at_) Wire();
  if (!node_) return;
  WatchClock();
  TakeEvents(engine::Schedule::By::kOthers);
  ReadPause();
  const engine::GuardTotals guarded = guard_ ? guard_->totals() : engine::GuardTotals{};
  board_.Update([&](Shown& shown) {
    CountGuard(guard_before_, guarded, shown.totals);
    shown.paused = paused_.paused;
    shown.enforcing = config_.mode == config::Mode::kEnforce;
  });
  const std::vector<image::Demand> demands = Demands();
  schedule_.Press(Now(), Pressing(demands));
  if (schedule_.Due(Now())) Look(demands);
}

// One that is over is removed: a clock that is set back does not bring it to life again.
void Loop::ReadPause() {
  const host::PauseFile file(config_.state_directory);
  const bool before = paused_.paused;
  paused_ = file.Read(clock_.Now());
  if (paused_.paused || !paused_.until) return;
  if (before) Say(Level::kInfo, "the pause is over");
  (void)file.Resume();
}

base::TimePoint Loop::ClockSeenBefore() const {
  if (!history_) return base::kNever;
  const auto text = history_->Recall(kClockSeen);
  if (!text.ok() || !*text) return base::kNever;
  const auto time = base::ParseTime(**text);
  return time.ok() ? *time : base::kNever;
}

void Loop::WatchClock() {
  constexpr base::Duration kRememberEvery = std::chrono::hours(1);
  const base::TimePoint wall = clock_.Now();
  if (!clock_watch_) clock_watch_.emplace(ClockSeenBefore());
  clock_watch_->Look(wall, Now());
  if (!history_ || Now() < remember_clock_at_) return;
  remember_clock_at_ = Now() + kRememberEvery;
  (void)history_->Remember(kClockSeen, base::FormatTime(wall));
}

void Loop::Reload() {
  manager_.Reloading();
  WireOptions wire = options_.wire;
  // A file that was there and is gone says nothing about what is wanted.
  wire.config_given = wire.config_given || config_stamp_ != host::FileStamp{};
  const host::FileStamp stamp = host::StampOf(wire.config);
  auto config = ReadConfig(wire);
  if (config.ok()) config_stamp_ = stamp;
  seen_stamp_ = stamp;
  board_.Update([&](Shown& shown) {
    shown.config_in_force = config.ok();
    shown.config_time = clock_.Now();
  });
  if (config.ok()) {
    config_ = std::move(*config);
    thresholds_ = image::ThresholdWatch(config_.policy.triggers.thresholds);
    source_.reset();
    LeaveGuard();
    node_.reset();
    wire_at_ = {};
    schedule_.Ask();
    Say(Level::kInfo, "the configuration was read again and is in force");
  } else {
    Say(Level::kError, config.error().In("the configuration in force stays").message);
  }
  manager_.Ready();
}

void Loop::Wire() {
  Sign(kLookBudget);
  auto node = Node::Wire(options_.wire, config_, stop_, history_);
  if (!node.ok()) {
    const auto wait = std::min<base::Duration>(
        std::chrono::seconds(1) * (1 << std::min(wire_failures_++, 6)), kLongestWireWait);
    wire_at_ = Now() + wait;
    // One that was wired before stays as it is.
    return node_ ? void() : Fail(node.error());
  }
  wire_failures_ = 0;
  wire_at_ = Now() + kWireAgain;
  source_.reset();
  LeaveGuard();
  node_.emplace(std::move(*node));
  history_ = node_->history();
  pods_.Expire();
  StandGuard();
  HearEvents();
}

void Loop::LeaveGuard() {
  if (!guard_) return;
  const engine::GuardTotals totals = guard_->totals();
  guard_before_.restored += totals.restored;
  guard_before_.failed += totals.failed;
  guard_.reset();
}

// Switched off, it takes away what it put on; while only observing, it leaves all as it is.
void Loop::StandGuard() {
  const auto ports = node_->guard_ports();
  if (!ports) return;
  if (node_->guards()) {
    guard_ = std::make_unique<GuardThread>(*ports, log_, node_->policy().guard);
    return;
  }
  if (config_.guard != config::GuardMode::kOff) return;
  const auto set = ports->memory.Load();
  if (!set.ok() || set->images.empty()) return;
  const auto removed = engine::RemoveGuard(*ports, engine::ImageRecords::Whose::kOurs);
  if (!removed.ok()) return Say(Level::kWarning, removed.error().message);
  Say(Level::kInfo, "guard: it is off, and nothing is guarded any more");
}

// A port that is taken keeps nobody from collecting.
void Loop::Serve() {
  if (served_ == config_.listen || Now() < serve_at_) return;
  server_.reset();
  served_ = config_.listen;
  if (served_.empty()) return;
  auto server = http::Server::Start({.address = served_}, [this](const http::Request& request) {
    return endpoints_.Answer(request);
  });
  if (server.ok()) {
    server_ = std::move(*server);
    return;
  }
  served_.clear();
  serve_at_ = Now() + kServeAgain;
  Say(Level::kError, server.error().In("no metrics and no status").message);
}

void Loop::HearEvents() {
  inbox_.Begin();
  source_ = node_->Listen(
      {.on_event =
           [this](const engine::RuntimeEvent& event) {
             if (guard_) guard_->Heard(event);
             inbox_.Put(event);
           },
       .on_connected =
           [this] {
             if (guard_) guard_->Connected();
             inbox_.Connected();
           },
       .on_broken = [this](const base::Error& error) { Say(Level::kWarning, error.message); }});
}

void Loop::TakeEvents(engine::Schedule::By whom) {
  const Inbox::Content content = inbox_.Take();
  for (const engine::RuntimeEvent& event : content.started) {
    if (told_.size() >= Inbox::kMostKept) break;
    told_.push_back({.id = event.container, .created_at = event.time, .image_name = event.image});
  }
  if (content.changed) schedule_.Changed(Now(), whom);
  board_.Update([&](Shown& shown) {
    shown.totals.event_reconnects += static_cast<std::uint64_t>(content.reconnects);
  });
}

std::vector<image::Demand> Loop::Demands() {
  const std::vector<image::Filesystem> disk = board_.Read().disk;
  thresholds_.Read(image::ReadSignals(disk), Now());
  auto demands = image::DemandsOfDisk(disk, node_->policy(), thresholds_.Due(Now()), largest_pull_,
                                      clock_.Now());
  if (schedule_.asked()) {
    demands.push_back({.trigger = image::Trigger::kSignal,
                       .target = {.kind = image::Target::Kind::kMarks},
                       .why = "somebody asked for a pass"});
  }
  return demands;
}

// What may not be done presses otherwise than what may: when that changes, it is tried at once.
std::set<std::string> Loop::Pressing(const std::vector<image::Demand>& demands) const {
  std::set<std::string> names;
  const std::string how = MayRemove() ? "" : "to be told: ";
  for (const image::Demand& demand : demands) {
    const bool by_dead = demand.by_containers && node_->policy().dead.remove;
    if (demand.by_images || by_dead) names.insert(how + image::NameOf(demand));
  }
  if (!images_press_.empty()) names.insert(how + images_press_);
  return names;
}

void Loop::Sign(base::Duration budget) {
  const base::Duration until = Now() + budget;
  board_.Update([&](Shown& shown) { shown.alive_until = until; });
}

// The same trouble is told once.
void Loop::Fail(const base::Error& error) {
  board_.Update([&](Shown& shown) { shown.trouble = error.message; });
  manager_.Status(error.message);
  if (error.message == last_trouble_) return;
  last_trouble_ = error.message;
  Say(Level::kError, error.message);
}

base::Status Run(const RunOptions& options, const std::atomic<bool>& stop) {
  return Loop(options, stop).Run();
}

}  // namespace ebb::daemon
