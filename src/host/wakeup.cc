#include "host/wakeup.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace ebb::host {
namespace {

std::atomic<int> event_fd = -1;
std::atomic<bool> reload_asked = false;
std::atomic<bool> act_asked = false;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not take a lock");

void Ring(int fd) {
  const std::uint64_t one = 1;
  // A full counter wakes just as well.
  [[maybe_unused]] const auto written = ::write(fd, &one, sizeof one);
}

extern "C" void OnAskingSignal(int signal) {
  (signal == SIGHUP ? reload_asked : act_asked) = true;
  WakeFromSignal();
}

}  // namespace

void WakeFromSignal() {
  const int saved = errno;
  const int fd = event_fd.load();
  if (fd >= 0) Ring(fd);
  errno = saved;
}

Wakeup::Wakeup() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  event_fd = event_.get();
  struct sigaction action{};
  action.sa_handler = OnAskingSignal;
  action.sa_flags = SA_RESTART;
  (void)::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGHUP, SIGUSR1}) (void)::sigaction(signal, &action, nullptr);
}

Wakeup::~Wakeup() {
  event_fd = -1;
}

void Wakeup::Wake() {
  Ring(event_.get());
}

void Wakeup::WaitFor(base::Duration time) {
  pollfd event{.fd = event_.get(), .events = POLLIN, .revents = 0};
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(time).count();
  constexpr std::int64_t kLongest = 3'600'000;
  (void)::poll(&event, 1, static_cast<int>(std::clamp<std::int64_t>(whole, 0, kLongest)));
  std::uint64_t rung = 0;
  [[maybe_unused]] const auto got = ::read(event_.get(), &rung, sizeof rung);
}

Asked Wakeup::TakeAsked() {
  return {.reload = reload_asked.exchange(false), .act = act_asked.exchange(false)};
}

}  // namespace ebb::host
