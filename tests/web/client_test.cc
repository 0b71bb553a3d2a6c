#include "http/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "web/server.h"

namespace ebb::http {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using web::Authority;
using web::Identity;
using web::Ok;
using web::TestServer;

constexpr const char* kNames = "IP:127.0.0.1,DNS:api.example";

web::Talk Says(const std::string& answer) {
  return [answer](const std::string&) { return answer; };
}

std::unique_ptr<Client> Make(const ClientOptions& options) {
  auto client = Client::Make(options);
  EXPECT_TRUE(client.ok()) << client.error().message;
  return std::move(*client);
}

std::string ErrorOf(const ClientOptions& options) {
  const auto answer = Make(options)->Get("/");
  return answer.ok() ? "answered" : answer.error().message;
}

TEST(HttpClient, AsksAndKeepsTheConnection) {
  const TestServer server(Says(Ok("{}")));
  const auto client = Make({.url = server.url() + "/prefix"});
  for (int i = 0; i < 3; ++i) {
    const auto answer = client->Get("/pods?a=b", {{"Authorization", "Bearer secret"}});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->content_type, "application/json");
    EXPECT_EQ(answer->body, "{}");
  }
  EXPECT_EQ(server.connections(), 1);
  ASSERT_THAT(server.heard(), SizeIs(3));
  EXPECT_THAT(server.heard().front(), HasSubstr("GET /prefix/pods?a=b HTTP/1.1\r\n"));
  EXPECT_THAT(server.heard().front(), HasSubstr("Authorization: Bearer secret\r\n"));
  EXPECT_THAT(server.heard().front(),
              HasSubstr("Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"));
}

TEST(HttpClient, ConnectsAgainWhereTheServerClosedMeanwhile) {
  const TestServer server(Says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const TestServer closing(
      Says("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"));
  int calls = 0;
  const TestServer hidden([&](const std::string&) {  // closes after every second answer, untold
    return ++calls % 2 == 0 ? std::string() : Ok("x");
  });
  const auto client = Make({.url = closing.url()});
  const auto surprised = Make({.url = hidden.url()});
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(client->Get("/").ok());
    const auto answer = surprised->Get("/");
    EXPECT_TRUE(answer.ok()) << answer.error().message;
  }
  EXPECT_EQ(closing.connections(), 4);
}

TEST(HttpClient, HandsOverErrorsAndRedirectsAsTheyAre) {
  const TestServer server([](const std::string& request) {
    if (request.starts_with("GET /moved")) {
      return std::string("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n");
    }
    return web::Status(403, "forbidden");
  });
  const auto client = Make({.url = server.url()});
  EXPECT_EQ(client->Get("/moved")->status, 302);
  EXPECT_EQ(client->Get("/")->status, 403);
  EXPECT_EQ(client->Get("/")->body, "forbidden");
}

TEST(HttpClient, ReadsChunksAndRefusesAnAnswerThatIsCutOff) {
  const TestServer chunked(
      Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"));
  EXPECT_EQ(Make({.url = chunked.url()})->Get("/")->body, "abc");
  for (const std::string cut :
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nConnection: close",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nConnection: close", "Connection: close", "garbage\r\n\r\n"}) {
    const TestServer server(Says(cut));
    EXPECT_NE(ErrorOf({.url = server.url()}), "answered") << cut;
  }
}

TEST(HttpClient, CutsOffWhatIsLargerThanAllowed) {
  const std::string body(100000, 'x');
  const TestServer told(Says(Ok(body)));
  const TestServer untold(Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" +
                               body + "\r\n0\r\n\r\n"));
  for (const TestServer* server : {&told, &untold}) {
    EXPECT_THAT(ErrorOf({.url = server->url(), .max_body = 99999}),
                HasSubstr("larger than allowed"));
    EXPECT_EQ(ErrorOf({.url = server->url(), .max_body = 100000}), "answered");
  }
}

TEST(HttpClient, WaitsNoLongerThanItsTimeout) {
  std::atomic<bool> over = false;
  const TestServer server([&](const std::string&) {
    over.wait(false);
    return std::string();
  });
  const auto answer =
      Make({.url = server.url(), .timeout = std::chrono::milliseconds(50)})->Get("/");
  over = true;
  over.notify_all();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, base::ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().message, server.url() + ": read: no answer in time");
}

TEST(HttpClient, SaysThatNobodyListens) {
  std::string url;
  {
    const TestServer gone(Says(""));
    url = gone.url();
  }
  const auto answer = Make({.url = url})->Get("/");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, base::ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().message, url + ": connect: Connection refused");
}

TEST(HttpClient, TrustsTheAuthorityItWasGiven) {
  const Authority authority;
  const TestServer server(Says(Ok("yes")), authority.Issue(kNames));
  const auto client = Make({.url = server.url(), .tls = {.ca = authority.certificate()}});
  for (int i = 0; i < 3; ++i) {
    const auto answer = client->Get("/");
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->body, "yes");
  }
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(ErrorOf({.url = server.url(),
                     .tls = {.ca = Authority().certificate() + authority.certificate()}}),
            "answered");
}

TEST(HttpClient, TrustsACertificateThatIsItsOwnAuthority) {
  const Identity own = web::SelfSigned(kNames);
  const TestServer server(Says(Ok("yes")), own);
  EXPECT_EQ(ErrorOf({.url = server.url(), .tls = {.ca = own.certificate}}), "answered");
  const Identity issued = Authority().Issue(kNames);  // trusted itself, its authority unknown
  const TestServer pinned(Says(Ok("yes")), issued);
  EXPECT_EQ(ErrorOf({.url = pinned.url(), .tls = {.ca = issued.certificate}}), "answered");
}

TEST(HttpClient, AsksNothingOfAServerItDoesNotTrust) {
  const Authority authority;
  const std::string ca = authority.certificate();
  const TestServer strange(Says(Ok("")), Authority().Issue(kNames));
  EXPECT_THAT(ErrorOf({.url = strange.url(), .tls = {.ca = ca}}), HasSubstr("not trusted: "));
  const TestServer system(Says(Ok("")), authority.Issue(kNames));
  EXPECT_THAT(ErrorOf({.url = system.url()}), HasSubstr("not trusted: "));
  const TestServer expired(Says(Ok("")), authority.Issue(kNames, -1));
  EXPECT_THAT(ErrorOf({.url = expired.url(), .tls = {.ca = ca}}), HasSubstr("has expired"));
  const TestServer other(Says(Ok("")), authority.Issue("IP:127.0.0.2,DNS:api.example"));
  EXPECT_THAT(ErrorOf({.url = other.url(), .tls = {.ca = ca}}), HasSubstr("IP address mismatch"));
  EXPECT_THAT(ErrorOf({.url = other.url(), .tls = {.ca = ca, .server_name = "wrong.example"}}),
              HasSubstr("hostname mismatch"));
  for (const TestServer* server : {&strange, &system, &expired, &other}) {
    EXPECT_THAT(server->heard(), ElementsAre());
  }
  EXPECT_EQ(ErrorOf({.url = other.url(), .tls = {.ca = ca, .server_name = "api.example"}}),
            "answered");
  EXPECT_EQ(ErrorOf({.url = strange.url(), .tls = {.ca = ca, .insecure = true}}), "answered");
}

TEST(HttpClient, ShowsItsCertificateWhereOneIsWanted) {
  const Authority authority;
  const Identity me = authority.Issue("DNS:node-1");
  const std::string ca = authority.certificate();
  const TestServer server(Says(Ok("")), authority.Issue(kNames), ca);
  EXPECT_NE(ErrorOf({.url = server.url(), .tls = {.ca = ca}}), "answered");
  EXPECT_EQ(ErrorOf({.url = server.url(),
                     .tls = {.ca = ca, .certificate = me.certificate, .key = me.key}}),
            "answered");
}

TEST(HttpClient, RefusesCertificatesThatCannotBeUsed) {
  const Authority authority;
  const Identity me = authority.Issue("DNS:node-1");
  const Identity you = authority.Issue("DNS:node-2");
  const auto refusal = [](const Tls& tls) {
    const auto client = Client::Make({.url = "https://127.0.0.1:1", .tls = tls});
    return client.ok() ? "taken" : client.error().message;
  };
  EXPECT_THAT(refusal({.ca = "no PEM"}), HasSubstr("the CA holds no certificate"));
  EXPECT_THAT(refusal({.certificate = me.certificate}), HasSubstr("needs both"));
  EXPECT_THAT(refusal({.certificate = "x", .key = me.key}), HasSubstr("client certificate cannot"));
  EXPECT_THAT(refusal({.certificate = me.certificate, .key = "x"}), HasSubstr("client key cannot"));
  EXPECT_THAT(refusal({.certificate = me.certificate, .key = you.key}),
              HasSubstr("client key cannot"));
  EXPECT_EQ(refusal({.certificate = me.certificate, .key = me.key}), "taken");
}

TEST(HttpClient, LetsNothingSlipIntoTheRequest) {
  const TestServer server(Says(Ok("")));
  const auto client = Make({.url = server.url()});
  EXPECT_EQ(client->Get("pods").error().code, base::ErrorCode::kUsage);
  EXPECT_FALSE(client->Get("/a b").ok());
  EXPECT_FALSE(client->Get("/a\r\nHost: other").ok());
  EXPECT_FALSE(client->Get("/", {{"Accept", "text\r\nX: y"}}).ok());
  EXPECT_THAT(server.heard(), ElementsAre());
}

}  // namespace
}  // namespace ebb::http
