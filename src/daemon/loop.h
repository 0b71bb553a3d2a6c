// The loop of the daemon. It only waits: when something is due is the schedule's business, what is
// to be done the pass's.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/board.h"
#include "daemon/endpoints.h"
#include "daemon/guard_thread.h"
#include "daemon/inbox.h"
#include "daemon/pulse.h"
#include "daemon/run.h"
#include "daemon/tell.h"
#include "engine/claims.h"
#include "engine/clock_watch.h"
#include "engine/events.h"
#include "engine/pass.h"
#include "engine/schedule.h"
#include "host/clock.h"
#include "host/file_stamp.h"
#include "host/log.h"
#include "host/notify.h"
#include "host/pause_file.h"
#include "host/wakeup.h"
#include "http/server.h"

namespace ebb::daemon {

class Loop {
 public:
  Loop(const RunOptions& options, const std::atomic<bool>& stop);
  // See daemon::Run.
  base::Status Run();

 private:
  using Level = engine::Log::Level;

  void Tick();
  // The configuration file has changed, or somebody says so: a wrong one changes nothing.
  void Reload();
  // What was found on the node when it was last wired may be otherwise by now: from time to time,
  // and after the runtime was away, it is wired again.
  void Wire();
  void Serve();
  void StandGuard();
  void LeaveGuard();
  void HearEvents();
  void TakeEvents(engine::Schedule::By whom);
  void ReadPause();
  void WatchClock();
  base::TimePoint ClockSeenBefore() const;
  void Look(const std::vector<image::Demand>& demands);
  void Took(engine::Pass pass);
  void Keep(const image::Observation& seen);
  void CountRegrets(std::size_t images);
  void Tell(const engine::Pass& pass);
  void TellWouldBe(const engine::Pass& pass);
  void Fail(const base::Error& error);
  bool MayRemove() const;
  std::string WhyNot() const;  // requires !MayRemove()
  bool FirstRunIsOver();
  void RememberFirstRun(const image::Report& report);
  std::vector<image::Demand> Demands();
  std::set<std::string> Pressing(const std::vector<image::Demand>& demands) const;
  image::Policy PolicyNow() const;
  std::optional<base::Duration> UntilMark() const;
  // The loop promises to be back within `budget`; the watchdog holds it to that.
  void Sign(base::Duration budget);
  base::Duration Now() { return clock_.Elapsed(); }
  void Say(Level level, const std::string& text) { log_.Write(level, text); }

  const RunOptions& options_;
  const std::atomic<bool>& stop_;
  host::SystemClock clock_;
  host::StreamLog log_;
  host::ServiceManager manager_;
  host::Wakeup wakeup_;
  Board board_;
  Endpoints endpoints_;
  Pulse pulse_;
  engine::Schedule schedule_;

  config::NodeConfig config_;     // in force, also while no runtime answers
  host::FileStamp config_stamp_;  // of the file in force
  host::FileStamp seen_stamp_;    // of the file that was read last, right or wrong
  std::optional<Node> node_;      // nullopt: no runtime has been found yet, or not since the reload
  std::shared_ptr<history::SqliteHistory> history_;  // outlives the wiring
  base::Duration wire_at_{};
  int wire_failures_ = 0;
  bool runtime_failed_ = false;
  std::unique_ptr<http::Server> server_;
  std::string served_;  // the address it listens at
  base::Duration serve_at_{};
  host::PauseFile::State paused_;
  image::ThresholdWatch thresholds_{{}};
  std::optional<engine::ClockWatch> clock_watch_;
  engine::PodBook pods_;
  base::Bytes largest_pull_;
  std::string images_press_;  // what the last look found to do that the disk does not show
  std::vector<image::Container> told_;  // by events since the last look
  base::Duration forget_at_{};
  std::size_t counted_ = 0;  // images when regrets were counted last
  base::Duration remember_clock_at_{};
  const base::TimePoint started_ = clock_.Now();
  bool recover_ = true;          // a crash before this start may have left something
  bool first_run_over_ = false;  // a run that removed something has been made on this node
  std::string last_refusal_;     // removals that were told last and may not be carried out
  std::string last_trouble_;
  News news_;

  Inbox inbox_;
  engine::GuardTotals guard_before_;    // of guards that were wired before this one
  std::unique_ptr<GuardThread> guard_;  // null: nothing is guarded; before the node, it uses it
  std::unique_ptr<engine::EventSource> source_;  // last: it calls into the loop until it is gone
};

}  // namespace ebb::daemon
