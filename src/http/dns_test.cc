#include "http/dns.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <thread>

#include "base/unique_fd.h"

namespace ebb::http {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A name server on the loopback that knows the address of "api.example", never answers about
// "silent.example", and says of everything else that there is no such name.
class NameServer {
 public:
  NameServer() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    (void)::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), length);
    (void)::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&address), &length);
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::jthread([this] { Serve(); });
  }
  ~NameServer() {
    (void)::shutdown(fd_.get(), SHUT_RDWR);
    thread_.join();
  }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  const std::string& address() const { return address_; }

 private:
  void Serve() const {
    std::array<char, 512> bytes{};
    for (;;) {
      sockaddr_in peer{};
      socklen_t length = sizeof peer;
      auto* from = reinterpret_cast<sockaddr*>(&peer);
      const auto got = ::recvfrom(fd_.get(), bytes.data(), bytes.size(), 0, from, &length);
      if (got <= 0) return;
      const std::string answer = AnswerTo({bytes.data(), static_cast<std::size_t>(got)});
      if (!answer.empty()) (void)::sendto(fd_.get(), answer.data(), answer.size(), 0, from, length);
    }
  }

  // RFC 1035: twelve bytes of header, the name in pieces that begin with their length, type, class.
  static std::string AnswerTo(const std::string& query) {
    constexpr std::size_t kHeader = 12;
    const auto end = query.find('\0', kHeader);
    if (end == std::string::npos || query.find("\6silent") != std::string::npos) return {};
    const std::string question = query.substr(kHeader, end + 5 - kHeader);
    const bool known = question.starts_with(std::string("\3api\7example", 12) + '\0');
    const bool has = known && question.substr(question.size() - 3, 1) == "\1";  // type A
    std::string answer = query.substr(0, 2);
    answer += known ? std::string("\x81\x80", 2) : std::string("\x81\x83", 2);
    answer +=
        std::string("\0\1\0", 3) + (has ? '\1' : '\0') + std::string("\0\0\0\0", 4) + question;
    if (has) answer += std::string("\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\5", 16);
    return answer;
  }

  base::UniqueFd fd_;
  std::string address_;
  std::jthread thread_;
};

Lookup Within(std::chrono::milliseconds time, const std::string& servers = {}) {
  return {.deadline = std::chrono::steady_clock::now() + time, .servers = servers};
}

TEST(HttpDns, AsksNobodyAboutAddressesAndLocalhost) {
  const auto now = Within(std::chrono::milliseconds(0));
  EXPECT_THAT(*AddressesOf("127.0.0.1", now), ElementsAre("127.0.0.1"));
  EXPECT_THAT(*AddressesOf("fd00::1", now), ElementsAre("fd00::1"));
  EXPECT_THAT(*AddressesOf("localhost", now), ElementsAre("127.0.0.1", "::1"));
}

TEST(HttpDns, AsksTheNameServer) {
  const NameServer server;
  const auto found = AddressesOf("api.example", Within(std::chrono::minutes(1), server.address()));
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_THAT(*found, ElementsAre("127.0.0.5"));
}

TEST(HttpDns, SaysThatThereIsNoSuchName) {
  const NameServer server;
  const auto found = AddressesOf("no.example", Within(std::chrono::minutes(1), server.address()));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, base::ErrorCode::kUnavailable);
  EXPECT_THAT(found.error().message, HasSubstr("the name no.example cannot be resolved: "));
}

TEST(HttpDns, WaitsNoLongerThanTheDeadline) {
  const NameServer server;
  const auto found =
      AddressesOf("silent.example", Within(std::chrono::milliseconds(50), server.address()));
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().message, HasSubstr("Timeout"));
  EXPECT_FALSE(AddressesOf("api.example", Within(std::chrono::minutes(1), "no server")).ok());
}

}  // namespace
}  // namespace ebb::http
