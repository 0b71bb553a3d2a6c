#include "http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "http/socket_test.h"

namespace ebb::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Answers with what it was asked; "/large" with more than any buffer holds.
Response Echo(const Request& request) {
  if (request.path == "/missing") return {.status = 404, .body = "nothing here\n"};
  if (request.path == "/large") return {.body = std::string(std::size_t{16} << 20U, 'x') + "end"};
  const auto name = request.query.find("name");
  return {.body = request.method + " " + request.path + " " +
                  (name == request.query.end() ? "nobody" : name->second) + "\n"};
}

std::unique_ptr<Server> StartServer(const ServerLimits& limits = {}, Handler handler = Echo) {
  auto server = Server::Start({.address = "127.0.0.1:0", .limits = limits}, std::move(handler));
  EXPECT_TRUE(server.ok()) << server.error().message;
  return std::move(*server);
}

std::string Ask(const Server& server, std::string_view text) {
  const TestSocket socket(server.port());
  socket.Say(text);
  return socket.HearAll();
}

TEST(HttpServer, AnswersWithWhatItsHandlerSays) {
  const auto server = StartServer();
  EXPECT_GT(server->port(), 0);
  const auto answer = Ask(
      *server, "GET /hello%20you?name=a%26b&x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 19\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\nGET /hello you a&b\n"));
  EXPECT_THAT(Ask(*server, "GET /missing HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.0 404 Not Found"));
}

TEST(HttpServer, TellsOfTheBodyToHeadAndSendsNone) {
  const auto server = StartServer();
  const auto answer = Ask(*server, "HEAD /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 15\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
}

TEST(HttpServer, RefusesWhatIsNeitherGetNorHead) {
  const auto server = StartServer();
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "BREW"}) {
    const auto answer =
        Ask(*server, method + " / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 Method Not Allowed")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n")) << method;
  }
}

TEST(HttpServer, RefusesABodyAndHangsUp) {
  const auto server = StartServer();
  EXPECT_THAT(Ask(*server, "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(Ask(*server, "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "));
}

TEST(HttpServer, RefusesGarbageAndHangsUp) {
  const auto server = StartServer();
  const std::string zeros(64, '\0');
  for (const std::string& garbage :
       {std::string("hello\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), zeros,
        std::string("GET  / HTTP/1.1\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\n: x\r\n\r\n"),
        std::string("GET http://other/ HTTP/1.1\r\nConnection: close\r\n\r\n"),
        std::string("GET /%zz HTTP/1.1\r\nConnection: close\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")}) {
    EXPECT_THAT(Ask(*server, garbage), StartsWith("HTTP/1.1 400 ")) << garbage;
  }
  EXPECT_THAT(Ask(*server, "GET /" + std::string(100000, 'a')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Ask(*server, "GET / HTTP/1.1\r\nA: " + std::string(9000, 'a') + "\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Ask(*server, "GET /after HTTP/1.0\r\n\r\n"), EndsWith("GET /after nobody\n"));
}

TEST(HttpServer, KeepsAConnectionForAThousandRequestsAndForPipelinedOnes) {
  const auto server = StartServer();
  const TestSocket socket(server->port());
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    socket.Say("GET /n?name=" + number + " HTTP/1.1\r\nHost: h\r\n\r\n");
    ASSERT_THAT(socket.HearUntil("GET /n " + number + "\n"), EndsWith("GET /n " + number + "\n"));
  }
  socket.Say("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.0\r\n\r\n");
  EXPECT_THAT(socket.HearAll(), EndsWith("GET /3 nobody\n"));
}

TEST(HttpServer, TakesARequestInPiecesWhileOthersAreServed) {
  const auto server = StartServer();
  const TestSocket slow(server->port());
  for (const char c : std::string("GET /slow HTTP/1.0\r\n\r")) {
    slow.Say({&c, 1});
    if (c != ' ') continue;
    EXPECT_THAT(Ask(*server, "GET /x HTTP/1.0\r\n\r\n"), EndsWith("GET /x nobody\n"));
  }
  slow.Say("\n");
  EXPECT_THAT(slow.HearAll(), EndsWith("GET /slow nobody\n"));
}

TEST(HttpServer, HangsUpOnHalfARequestAndOnNone) {
  const auto server = StartServer({.idle = std::chrono::milliseconds(50)});
  const TestSocket half(server->port());
  half.Say("GET / HTTP/1.1\r\nHo");
  const TestSocket silent(server->port());
  EXPECT_EQ(half.HearAll(), "");
  EXPECT_EQ(silent.HearAll(), "");
}

TEST(HttpServer, SurvivesClientsThatHangUpBeforeTheAnswerIsTaken) {
  (void)std::signal(SIGPIPE, SIG_DFL);
  const auto server = StartServer();
  for (int i = 0; i < 5; ++i) {
    TestSocket gone(server->port());
    gone.Say("GET /large HTTP/1.1\r\n\r\n");
    (void)gone.Hear();
    gone.HangUp();
  }
  EXPECT_THAT(Ask(*server, "GET /alive HTTP/1.0\r\n\r\n"), EndsWith("GET /alive nobody\n"));
}

TEST(HttpServer, SendsALargeAnswerWhole) {
  const auto server = StartServer();
  const auto answer = Ask(*server, "GET /large HTTP/1.0\r\n\r\n");
  EXPECT_GT(answer.size(), std::size_t{16} << 20U);
  EXPECT_THAT(answer.substr(answer.size() - 10), EndsWith("xend"));
}

TEST(HttpServer, TellsTheOneTooManyAndServesItOnceAnotherLeft) {
  const auto server = StartServer({.connections = 2});
  const std::string request = "GET /n HTTP/1.1\r\nHost: h\r\n\r\n";
  TestSocket first(server->port());
  const TestSocket second(server->port());
  for (const TestSocket* each : {&std::as_const(first), &second}) {
    each->Say(request);
    EXPECT_THAT(each->HearUntil("nobody\n"), EndsWith("nobody\n"));
  }
  EXPECT_THAT(Ask(*server, request), StartsWith("HTTP/1.1 503 "));
  second.Say(request);
  EXPECT_THAT(second.HearUntil("nobody\n"), EndsWith("nobody\n"));
  first.HangUp();
  std::string answer;
  do {  // the server learns of it in its own time
    answer = Ask(*server, "GET /n HTTP/1.0\r\n\r\n");
  } while (answer.starts_with("HTTP/1.1 503 "));
  EXPECT_THAT(answer, EndsWith("GET /n nobody\n"));
}

TEST(HttpServer, StopsWhileClientsAreConnected) {
  auto server = StartServer();
  const TestSocket idle(server->port());
  const TestSocket half(server->port());
  half.Say("GET / HT");
  const TestSocket deaf(server->port());
  deaf.Say("GET /large HTTP/1.1\r\n\r\n");
  EXPECT_THAT(deaf.Hear(), StartsWith("HTTP/1.1 200 OK"));
  const int port = server->port();
  server.reset();
  EXPECT_EQ(idle.HearAll(), "");
  EXPECT_EQ(half.HearAll(), "");
  EXPECT_FALSE(TestSocket(port).connected());
}

TEST(HttpServer, AnswersFromOneThreadThatNoSignalReaches) {
  std::atomic<bool> blocked = false;
  std::atomic<int> inside = 0;
  std::atomic<bool> overlapped = false;
  const auto server = StartServer({}, [&](const Request&) -> Response {
    if (++inside != 1) overlapped = true;
    sigset_t mask{};
    (void)::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked = ::sigismember(&mask, SIGTERM) == 1 && ::sigismember(&mask, SIGHUP) == 1;
    --inside;
    return {};
  });
  std::vector<std::jthread> clients;
  clients.reserve(4);
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        EXPECT_THAT(Ask(*server, "GET / HTTP/1.0\r\n\r\n"), HasSubstr(" 200 "));
      }
    });
  }
  clients.clear();
  EXPECT_TRUE(blocked);
  EXPECT_FALSE(overlapped);
}

TEST(HttpServer, LosesOneConnectionWhenAnAnswerCannotBeMade) {
  const auto server = StartServer({}, [](const Request& request) -> Response {
    if (request.path == "/no-memory") throw std::bad_alloc();
    return {.body = "here"};
  });
  EXPECT_EQ(Ask(*server, "GET /no-memory HTTP/1.0\r\n\r\n"), "");
  EXPECT_THAT(Ask(*server, "GET / HTTP/1.0\r\n\r\n"), EndsWith("here"));
}

}  // namespace
}  // namespace ebb::http
