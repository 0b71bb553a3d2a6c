#include "host/signals.h"

#include <cerrno>
#include <csignal>

#include "host/wakeup.h"

namespace ebb::host {
namespace {

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not take a lock");

extern "C" void OnStopSignal(int signal) {
  if (!stopped.exchange(true)) return WakeFromSignal();
  const int saved = errno;
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  (void)::sigaction(signal, &action, nullptr);
  (void)::raise(signal);  // delivered when this handler returns
  errno = saved;
}

}  // namespace

const std::atomic<bool>& CatchStopSignals() {
  struct sigaction action{};
  action.sa_handler = OnStopSignal;
  (void)::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) (void)::sigaction(signal, &action, nullptr);
  return stopped;
}

}  // namespace ebb::host
