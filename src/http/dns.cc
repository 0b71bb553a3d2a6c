#include "http/dns.h"

#include <ares.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <memory>

#include "http/url.h"

namespace ebb::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Answer {
  bool done = false;
  int status = ARES_SUCCESS;
  std::vector<std::string> addresses;
};

struct ChannelDeleter {
  void operator()(ares_channel channel) const { ares_destroy(channel); }
};
using Channel = std::unique_ptr<std::remove_pointer_t<ares_channel>, ChannelDeleter>;

void OnAnswer(void* target, int status, int /*timeouts*/, ares_addrinfo* found) {
  auto& answer = *static_cast<Answer*>(target);
  answer.done = true;
  answer.status = status;
  if (status != ARES_SUCCESS) return;
  for (const auto* node = found->nodes; node != nullptr; node = node->ai_next) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* address =
        node->ai_family == AF_INET
            ? static_cast<const void*>(&reinterpret_cast<sockaddr_in*>(node->ai_addr)->sin_addr)
            : &reinterpret_cast<sockaddr_in6*>(node->ai_addr)->sin6_addr;
    if (::inet_ntop(node->ai_family, address, text.data(), text.size()) != nullptr) {
      answer.addresses.emplace_back(text.data());
    }
  }
  ares_freeaddrinfo(found);
}

base::Error Unknown(const std::string& host, int status) {
  return {base::ErrorCode::kUnavailable,
          "the name " + host + " cannot be resolved: " + ares_strerror(status)};
}

base::Result<Channel> Open(const std::string& host, const Lookup& lookup) {
  static const int started = ares_library_init(ARES_LIB_INIT_ALL);
  if (started != ARES_SUCCESS) return Unknown(host, started);
  ares_channel raw = nullptr;
  ares_options options{};
  options.timeout = 2000;  // milliseconds for one try at one server
  options.tries = 2;
  int status = ares_init_options(&raw, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
  if (status != ARES_SUCCESS) return Unknown(host, status);
  Channel channel(raw);
  if (!lookup.servers.empty()) status = ares_set_servers_ports_csv(raw, lookup.servers.c_str());
  if (status != ARES_SUCCESS) return Unknown(host, status);
  return channel;
}

// Waits until one of the channel's sockets has something, or one of its own timeouts ends.
void Turn(ares_channel channel, milliseconds at_most) {
  std::array<ares_socket_t, ARES_GETSOCK_MAXNUM> sockets{};
  const auto mask = static_cast<unsigned>(
      ares_getsock(channel, sockets.data(), static_cast<int>(sockets.size())));
  std::array<pollfd, ARES_GETSOCK_MAXNUM> waits{};
  nfds_t used = 0;
  for (unsigned i = 0; i < sockets.size(); ++i) {
    const bool reads = (mask & (1U << i)) != 0;
    const bool writes = (mask & (1U << (i + ARES_GETSOCK_MAXNUM))) != 0;
    if (!reads && !writes) continue;
    waits.at(used++) = {
        .fd = sockets.at(i),
        .events = static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))};
  }
  timeval most{.tv_sec = at_most.count() / 1000, .tv_usec = at_most.count() % 1000 * 1000};
  timeval own{};
  const timeval* wait = ares_timeout(channel, &most, &own);
  (void)::poll(waits.data(), used,
               static_cast<int>(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
  if (used == 0) ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
  for (nfds_t i = 0; i < used; ++i) {
    const bool readable = (waits.at(i).revents & (POLLIN | POLLERR | POLLHUP)) != 0;
    const bool writable = (waits.at(i).revents & POLLOUT) != 0;
    ares_process_fd(channel, readable ? waits.at(i).fd : ARES_SOCKET_BAD,
                    writable ? waits.at(i).fd : ARES_SOCKET_BAD);
  }
}

}  // namespace

base::Result<std::vector<std::string>> AddressesOf(const std::string& host, const Lookup& lookup) {
  if (IsAddress(host)) return std::vector{host};
  if (host == "localhost") return std::vector<std::string>{"127.0.0.1", "::1"};
  Answer answer;  // before the channel, whose end answers what is still open
  auto channel = Open(host, lookup);
  if (!channel.ok()) return channel.error();
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  ares_getaddrinfo(channel->get(), host.c_str(), nullptr, &hints, OnAnswer, &answer);
  while (!answer.done) {
    const auto left = std::chrono::ceil<milliseconds>(lookup.deadline - steady_clock::now());
    if (left.count() <= 0) return Unknown(host, ARES_ETIMEOUT);
    Turn(channel->get(), left);
  }
  if (answer.addresses.empty()) {
    return Unknown(host, answer.status == ARES_SUCCESS ? ARES_ENODATA : answer.status);
  }
  return answer.addresses;
}

}  // namespace ebb::http
