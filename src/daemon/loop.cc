#include "daemon/loop.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "host/idle_io.h"

namespace ebb::daemon {
namespace {

// Events that are kept for the next look; while nobody can look there is no end of them.
constexpr std::size_t kMostKept = 10'000;
constexpr base::Duration kTick = std::chrono::seconds(1);
constexpr base::Duration kTickBudget = std::chrono::seconds(30);
constexpr base::Duration kLookBudget = std::chrono::minutes(10);
constexpr base::Duration kServeAgain = std::chrono::minutes(1);
constexpr base::Duration kLongestWireWait = std::chrono::minutes(1);

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
  config_stamp_ = host::StampOf(options_.wire.config);
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
  if (asked.reload || host::StampOf(options_.wire.config) != config_stamp_) Reload();
  if (asked.act) schedule_.Ask();
  Serve();
  if (!node_) Wire();
  if (!node_) return;
  TakeEvents();
  paused_ = host::PauseFile(config_.state_directory).Read(clock_.Now());
  board_.Update([&](Shown& shown) {
    shown.paused = paused_.paused;
    shown.enforcing = config_.mode == config::Mode::kEnforce;
  });
  const std::vector<image::Demand> demands = Demands();
  schedule_.Press(images_press_ || std::ranges::any_of(demands, &image::Demand::by_images));
  if (schedule_.Due(Now())) Look(demands);
}

void Loop::Reload() {
  manager_.Reloading();
  config_stamp_ = host::StampOf(options_.wire.config);
  auto config = ReadConfig(options_.wire);
  board_.Update([&](Shown& shown) {
    shown.config_in_force = config.ok();
    shown.config_time = clock_.Now();
  });
  if (config.ok()) {
    config_ = std::move(*config);
    thresholds_ = image::ThresholdWatch(config_.policy.triggers.thresholds);
    source_.reset();
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
  if (Now() < wire_at_) return;
  Sign(kLookBudget);
  auto node = Node::Wire(options_.wire, stop_);
  if (!node.ok()) {
    const auto wait = std::min<base::Duration>(
        std::chrono::seconds(1) * (1 << std::min(wire_failures_++, 6)), kLongestWireWait);
    wire_at_ = Now() + wait;
    return Fail(node.error());
  }
  wire_failures_ = 0;
  node_.emplace(std::move(*node));
  HearEvents();
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
  source_ = node_->Listen(
      {.on_event =
           [this](const engine::RuntimeEvent& event) {
             const std::lock_guard lock(events_mutex_);
             changed_ = true;
             if (event.image.empty() || events_.size() >= kMostKept) return;
             events_.push_back(event);
           },
       .on_connected =
           [this] {
             const std::lock_guard lock(events_mutex_);
             changed_ = true;
             ++connections_;
           },
       .on_broken = [this](const base::Error& error) { Say(Level::kWarning, error.message); }});
}

void Loop::TakeEvents() {
  int connections = 0;
  bool changed = false;
  {
    const std::lock_guard lock(events_mutex_);
    for (const engine::RuntimeEvent& event : std::exchange(events_, {})) {
      if (told_.size() >= kMostKept) break;
      told_.push_back({.id = event.container, .created_at = event.time, .image_name = event.image});
    }
    changed = std::exchange(changed_, false);
    connections = connections_;
  }
  if (changed) schedule_.Changed(Now());
  const auto reconnects = static_cast<std::uint64_t>(std::max(0, connections - 1));
  board_.Update([&](Shown& shown) { shown.totals.event_reconnects = reconnects; });
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
