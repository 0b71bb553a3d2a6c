#include "rpc/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace ebb::rpc {
namespace {

using testing::HasSubstr;

TEST(Endpoint, IsAUnixSocketInAnyOfThreeForms) {
  for (const char* text : {"unix:///run/cri.sock", "unix:/run/cri.sock", "/run/cri.sock"}) {
    const auto endpoint = ParseEndpoint(text);
    ASSERT_TRUE(endpoint.ok()) << text;
    EXPECT_EQ(endpoint->path, "/run/cri.sock");
    EXPECT_EQ(endpoint->text, "unix:///run/cri.sock");
  }
}

TEST(Endpoint, OfAnyOtherKindIsRefusedWithASentence) {
  const struct {
    std::string text;
    const char* why;
  } cases[] = {
      {"", "no absolute path"},
      {"cri.sock", "no absolute path"},
      {"unix://cri.sock", "no absolute path"},
      {"unix:", "no absolute path"},
      {"tcp://127.0.0.1:3735", "is no unix socket"},
      {"http://localhost", "is no unix socket"},
      {"npipe:////./pipe/containerd", "is no unix socket"},
      {std::string("/a\0b", 4), "zero byte"},
      {"/" + std::string(107, 'x'), "too long"},
  };
  for (const auto& one : cases) {
    const auto endpoint = ParseEndpoint(one.text);
    ASSERT_FALSE(endpoint.ok()) << one.text;
    EXPECT_EQ(endpoint.error().code, base::ErrorCode::kUsage);
    EXPECT_THAT(endpoint.error().message, HasSubstr(one.why));
  }
  EXPECT_TRUE(ParseEndpoint("/" + std::string(106, 'x')).ok()) << "fits exactly";
}

TEST(Endpoint, IsEscapedWhereAUriWouldReadItOtherwise) {
  EXPECT_EQ(TargetOf({"", "/run/a-b_c.d~1"}), "unix:/run/a-b_c.d~1");
  EXPECT_EQ(TargetOf({"", "/a b%c?d#\xC3\xA9"}), "unix:/a%20b%25c%3Fd%23%C3%A9");
}

TEST(SocketProblem, SaysWhatToDo) {
  const Endpoint endpoint{"unix:///run/cri.sock", "/run/cri.sock"};
  EXPECT_THAT(SocketProblem(endpoint, EACCES),
              HasSubstr("run as root or add your user to the socket's group"));
  EXPECT_THAT(SocketProblem(endpoint, ENOENT), HasSubstr("no socket"));
  EXPECT_THAT(SocketProblem(endpoint, ECONNREFUSED), HasSubstr("nobody listens"));
  EXPECT_THAT(SocketProblem(endpoint, EIO), HasSubstr("Input/output error"));
  for (const int error : {EACCES, ENOENT, ECONNREFUSED, ENOTSOCK, EAGAIN, EIO}) {
    EXPECT_THAT(SocketProblem(endpoint, error), HasSubstr("unix:///run/cri.sock"));
  }
}

}  // namespace
}  // namespace ebb::rpc
