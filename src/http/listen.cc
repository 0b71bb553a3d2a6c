#include "http/listen.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/text.h"

namespace ebb::http {
namespace {

constexpr int kBacklog = 64;
constexpr std::string_view kUnix = "unix://";

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

base::Error Malformed(std::string_view address) {
  return {base::ErrorCode::kUsage,
          "'" + base::OneLine(address) +
              "' is no address to listen on: write IP:PORT, as 127.0.0.1:9469, or unix:///PATH"};
}

base::Error Cannot(std::string_view address, int error) {
  const std::string why = error == EADDRINUSE ? "another program listens there: stop it or choose "
                                                "another address"
                                              : std::strerror(error);
  return {base::ErrorCode::kInternal, "cannot listen on " + std::string(address) + ": " + why};
}

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

std::optional<Address> ParseTcp(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = ParsePort(text.substr(colon + 1));
  std::string host(text.substr(0, colon));
  if (!port) return std::nullopt;
  Address address;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    auto* six = reinterpret_cast<sockaddr_in6*>(&address.storage);
    *six = {.sin6_family = AF_INET6, .sin6_port = htons(*port)};
    address.length = sizeof *six;
    const bool known =
        ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &six->sin6_addr) == 1;
    return known ? std::optional(address) : std::nullopt;
  }
  if (host.empty()) host = "0.0.0.0";
  if (host == "localhost") host = "127.0.0.1";
  auto* four = reinterpret_cast<sockaddr_in*>(&address.storage);
  *four = {.sin_family = AF_INET, .sin_port = htons(*port)};
  address.length = sizeof *four;
  return ::inet_pton(AF_INET, host.c_str(), &four->sin_addr) == 1 ? std::optional(address)
                                                                  : std::nullopt;
}

std::optional<Address> ParseUnix(const std::string& path) {
  Address address;
  auto* unix_address = reinterpret_cast<sockaddr_un*>(&address.storage);
  if (!path.starts_with('/') || path.size() >= sizeof unix_address->sun_path) return std::nullopt;
  unix_address->sun_family = AF_UNIX;
  std::memcpy(static_cast<char*>(unix_address->sun_path), path.c_str(), path.size() + 1);
  address.length = sizeof *unix_address;
  return address;
}

base::UniqueFd Socket(const Address& address) {
  return base::UniqueFd(
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// A socket file outlives its program. Removes one that refuses connections, nothing else.
void RemoveStale(const std::string& path, const Address& address) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return;
  const base::UniqueFd probe = Socket(address);
  if (::connect(probe.get(), address.get(), address.length) != 0 && errno == ECONNREFUSED) {
    (void)::unlink(path.c_str());
  }
}

int PortOf(int fd) {
  Address bound;
  bound.length = sizeof bound.storage;
  if (::getsockname(fd, bound.get(), &bound.length) != 0) return 0;
  if (bound.storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&bound.storage)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound.storage)->sin_port);
}

}  // namespace

base::Result<Listening> Listen(std::string_view text) {
  const bool is_unix = text.starts_with(kUnix);
  const std::string path(is_unix ? text.substr(kUnix.size()) : "");
  const auto address = is_unix ? ParseUnix(path) : ParseTcp(text);
  if (!address) return Malformed(text);
  if (is_unix) RemoveStale(path, *address);
  Listening listening{.fd = Socket(*address), .family = address->storage.ss_family};
  const int fd = listening.fd.get();
  const int on = 1;
  if (!is_unix) (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd < 0 || ::bind(fd, address->get(), address->length) != 0) return Cannot(text, errno);
  listening.path = path;
  constexpr mode_t kEverybody = 0666;
  if (is_unix && ::chmod(path.c_str(), kEverybody) != 0) return Cannot(text, errno);
  if (::listen(fd, kBacklog) != 0) return Cannot(text, errno);
  if (!is_unix) listening.port = PortOf(fd);
  return listening;
}

}  // namespace ebb::http
