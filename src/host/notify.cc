#include "host/notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "base/text.h"
#include "base/unique_fd.h"

namespace ebb::host {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::uint64_t> Number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

// A watchdog that was set for another process is not ours.
std::optional<base::Duration> WatchdogOfEnvironment() {
  const std::string pid = Variable("WATCHDOG_PID");
  if (!pid.empty() && Number(pid) != static_cast<std::uint64_t>(::getpid())) return std::nullopt;
  const auto microseconds = Number(Variable("WATCHDOG_USEC"));
  if (!microseconds) return std::nullopt;
  constexpr std::uint64_t kLongest = 1ULL << 50;
  return std::chrono::microseconds(static_cast<std::int64_t>(std::min(*microseconds, kLongest)));
}

}  // namespace

ServiceManager::ServiceManager()
    : socket_(Variable("NOTIFY_SOCKET")), watchdog_(WatchdogOfEnvironment()) {}

void ServiceManager::Reloading() const {
  timespec now{};
  (void)::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto microseconds = static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  Send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void ServiceManager::Status(std::string_view text) const {
  Send("STATUS=" + base::OneLine(text));
}

void ServiceManager::Send(std::string_view message) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() < 2 || socket_.size() >= sizeof address.sun_path) return;
  std::ranges::copy(socket_, address.sun_path);
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const base::UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const void* const place = &address;
  (void)::sendto(fd.get(), message.data(), message.size(), MSG_NOSIGNAL,
                 static_cast<const sockaddr*>(place), length);
}

}  // namespace ebb::host
