// A client that may say anything, for tests of the server.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace ebb::http {

class TestSocket {
 public:
  explicit TestSocket(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(static_cast<uint16_t>(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  explicit TestSocket(const std::string& path)
      : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{.sun_family = AF_UNIX};
    (void)path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    Connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }

  bool connected() const { return connected_; }

  void Say(std::string_view text) const {
    (void)::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
  }
  void HangUp() { fd_ = base::UniqueFd(); }

  // One more piece of what the server says; empty once it hung up.
  std::string Hear() const {
    char bytes[4096];
    const auto got = ::recv(fd_.get(), static_cast<char*>(bytes), sizeof bytes, 0);
    return got > 0 ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(got))
                   : std::string();
  }
  // All it says until it hangs up.
  std::string HearAll() const {
    std::string all;
    for (std::string piece = Hear(); !piece.empty(); piece = Hear()) all += piece;
    return all;
  }
  // One answer that ends with `end`, or what came before the server hung up.
  std::string HearUntil(std::string_view end) const {
    std::string all;
    while (!all.ends_with(end)) {
      const std::string piece = Hear();
      if (piece.empty()) break;
      all += piece;
    }
    return all;
  }
  bool HearsNothingFor(std::chrono::milliseconds time) const {
    pollfd wait{.fd = fd_.get(), .events = POLLIN};
    return ::poll(&wait, 1, static_cast<int>(time.count())) == 0;
  }

 private:
  void Connect(const sockaddr* address, socklen_t length) {
    connected_ = ::connect(fd_.get(), address, length) == 0;
  }

  base::UniqueFd fd_;
  bool connected_ = false;
};

}  // namespace ebb::http
