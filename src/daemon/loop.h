// The loop of the daemon. It only waits: when something is due is the schedule's business, what is
// to be done the pass's.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "daemon/board.h"
#include "daemon/endpoints.h"
#include "daemon/pulse.h"
#include "daemon/run.h"
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
  void Wire();
  void Serve();
  void HearEvents();
  void TakeEvents();
  void Look(const std::vector<image::Demand>& demands);
  void Took(engine::Pass pass);
  void Keep(const image::Observation& seen);
  void Tell(const engine::Pass& pass);
  void Fail(const base::Error& error);
  bool MayRemove() const;
  std::string WhyNot() const;  // requires !MayRemove()
  bool FirstRunIsOver();
  void RememberFirstRun(const image::Report& report);
  std::vector<image::Demand> Demands();
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

  config::NodeConfig config_;  // in force, also while no runtime answers
  host::FileStamp config_stamp_;
  std::optional<Node> node_;  // nullopt: no runtime has been found yet, or not since the reload
  base::Duration wire_at_{};
  int wire_failures_ = 0;
  std::unique_ptr<http::Server> server_;
  std::string served_;  // the address it listens at
  base::Duration serve_at_{};
  host::PauseFile::State paused_;
  image::ThresholdWatch thresholds_{{}};
  base::Bytes largest_pull_;
  bool images_press_ = false;  // the last look found something to do that the disk does not show
  std::vector<image::Container> told_;  // by events since the last look
  base::Duration forget_at_{};
  bool recover_ = true;          // a crash before this start may have left something
  bool first_run_over_ = false;  // a run that removed something has been made on this node
  std::string last_refusal_;     // removals that were told last and may not be carried out
  std::string last_trouble_;

  std::mutex events_mutex_;
  std::deque<engine::RuntimeEvent> events_;
  bool changed_ = false;                         // guarded by events_mutex_
  int connections_ = 0;                          // guarded by events_mutex_
  std::unique_ptr<engine::EventSource> source_;  // last: it calls into the loop until it is gone
};

}  // namespace ebb::daemon
