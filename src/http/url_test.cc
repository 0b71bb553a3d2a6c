#include "http/url.h"

#include <gtest/gtest.h>

namespace ebb::http {
namespace {

std::string Form(const char* text) {
  const auto url = ParseUrl(text);
  if (!url.ok()) return "refused";
  return std::string(url->tls ? "tls " : "plain ") + url->host + " " + url->port + " " +
         url->prefix;
}

TEST(HttpUrl, IsTakenApart) {
  EXPECT_EQ(Form("https://api.example:6443"), "tls api.example 6443 ");
  EXPECT_EQ(Form("https://api.example"), "tls api.example 443 ");
  EXPECT_EQ(Form("http://127.0.0.1:10255/"), "plain 127.0.0.1 10255 ");
  EXPECT_EQ(Form("http://localhost"), "plain localhost 80 ");
  EXPECT_EQ(Form("https://[fd00::1]:443/k8s/clusters/c-1/"), "tls fd00::1 443 /k8s/clusters/c-1");
  EXPECT_EQ(Form("https://[::1]"), "tls ::1 443 ");
}

TEST(HttpUrl, TheLoopbackIsKnownByItsAddressAndNotByHowANameBegins) {
  for (const char* text : {"https://127.0.0.1:10250", "https://127.9.9.9", "http://localhost:1",
                           "https://[::1]:10250"}) {
    EXPECT_TRUE(IsLoopback(text)) << text;
  }
  for (const char* text : {"https://127.evil.example", "https://localhost.evil.example",
                           "https://10.0.0.1", "https://[::2]", "127.0.0.1"}) {
    EXPECT_FALSE(IsLoopback(text)) << text;
  }
}

TEST(HttpUrl, RefusesWhatIsNoServer) {
  for (const char* text :
       {"", "api.example:6443", "ftp://a", "https://", "https:///x", "https://a:", "https://a:0",
        "https://a:65536", "https://a:b", "https://::1", "https://[::1", "https://[::1]x",
        "https://user@a", "https://a b", "https://a/x?y", "https://a/x#y", "https://a\r\nb",
        "https://a/\r\nb", "https://[]"}) {
    EXPECT_EQ(Form(text), "refused") << text;
  }
}

}  // namespace
}  // namespace ebb::http
