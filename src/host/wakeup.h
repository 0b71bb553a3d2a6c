// Lets one thread sleep until a signal, another thread, or its time has come.
#pragma once

#include <atomic>

#include "base/time.h"
#include "base/unique_fd.h"

namespace ebb::host {

// What signals asked for since it was last taken.
struct Asked {
  bool reload = false;  // SIGHUP
  bool act = false;     // SIGUSR1
};

// One per process: signal handlers know no other. SIGINT and SIGTERM also end a wait, if
// CatchStopSignals() was called.
class Wakeup {
 public:
  // Catches SIGHUP and SIGUSR1 from now on.
  Wakeup();
  ~Wakeup();
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  // May be called from any thread. A wake that nobody waits for ends the next wait.
  void Wake();
  void WaitFor(base::Duration time);
  static Asked TakeAsked();

 private:
  base::UniqueFd event_;
};

// For signal handlers: ends the wait of the process's Wakeup, if there is one.
void WakeFromSignal();

}  // namespace ebb::host
