// The daemon as a process of its own, and what can be asked of it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/unique_fd.h"
#include "cli/program.h"

namespace ebb::daemon {

// Whether `condition` held within a minute; what is waited for happens within seconds.
inline bool Within(const std::function<bool()>& condition,
                   std::chrono::seconds most = std::chrono::seconds(60)) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return condition();
}

// The answer to GET `target` on a unix socket, head and body; empty if nobody answers.
inline std::string Get(const std::string& socket, const std::string& target) {
  const base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (void)socket.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
  const auto* const place = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(fd.get(), place, sizeof address) != 0) return "";
  const std::string request =
      "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (::send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return "";
  std::string answer;
  std::array<char, 4096> bytes{};
  for (;;) {
    const auto got = ::recv(fd.get(), bytes.data(), bytes.size(), 0);
    if (got <= 0) return answer;
    answer.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

// The value of a metric with exactly these labels, as it is written; empty if there is none.
inline std::string Metric(const std::string& socket, const std::string& name) {
  const std::string page = Get(socket, "/metrics");
  const auto at = page.find("\n" + name + " ");
  if (at == std::string::npos) return "";
  const auto value = at + name.size() + 2;
  return page.substr(value, page.find('\n', value) - value);
}

// A port of the loopback that nobody listened on a moment ago.
inline std::string FreePort() {
  const base::UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd.get(), place, size) != 0 || ::getsockname(fd.get(), place, &size) != 0) return "";
  return std::to_string(ntohs(address.sin_port));
}

inline void Write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

inline constexpr const char* kConfigHead = "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n";

}  // namespace ebb::daemon
