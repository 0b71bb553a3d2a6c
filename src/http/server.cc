#include "http/server.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "http/listen.h"
#include "http/target.h"

namespace ebb::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace web = boost::beast::http;
using boost::system::error_code;

using Protocol = asio::generic::stream_protocol;
using Executor = asio::io_context::executor_type;
using Acceptor = asio::basic_socket_acceptor<Protocol, Executor>;
using Socket = asio::basic_stream_socket<Protocol, Executor>;
using Stream = beast::basic_stream<Protocol, Executor>;

constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 21\r\n"
    "Content-Type: text/plain\r\n\r\ntoo many connections\n";

// What every connection shares.
struct Shared {
  ServerLimits limits;
  Handler handler;
  std::size_t open = 0;
};

Response Plain(web::status status, std::string_view text) {
  return {.status = static_cast<int>(status), .body = std::string(text) + "\n"};
}

// The answer to a request that is none, or nullopt if the connection itself ended.
std::optional<Response> AnswerTo(const error_code& error) {
  if (error == web::error::body_limit) {
    return Plain(web::status::payload_too_large, "a request here has no body");
  }
  if (error == web::error::header_limit || error == web::error::buffer_overflow) {
    return Plain(web::status::request_header_fields_too_large, "the request is too long");
  }
  const bool ended = error == web::error::end_of_stream || error == web::error::partial_message;
  if (ended || error.category() != web::make_error_code(web::error::bad_target).category()) {
    return std::nullopt;
  }
  return Plain(web::status::bad_request, "this is not an HTTP request");
}

// One connection; it lives as long as an operation on it is pending.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, Shared& shared)
      : stream_(std::move(socket)), buffer_(shared.limits.header_bytes), shared_(shared) {
    ++shared_.open;
  }
  ~Session() { --shared_.open; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Read() {
    parser_.emplace();
    parser_->header_limit(shared_.limits.header_bytes);
    parser_->body_limit(0);
    stream_.expires_after(shared_.limits.idle);
    web::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->OnRead(error); });
  }

 private:
  void OnRead(error_code error) {
    if (!error && parser_->chunked()) error = web::error::body_limit;
    if (!error) return Write(Answer(), parser_->get().keep_alive());
    if (auto answer = AnswerTo(error)) Write(std::move(*answer), false);
  }

  Response Answer() {
    const auto& request = parser_->get();
    const bool known = request.method() == web::verb::get || request.method() == web::verb::head;
    if (!known) return Plain(web::status::method_not_allowed, "only GET and HEAD are answered");
    auto target = ParseTarget({request.target().data(), request.target().size()});
    if (!target.ok()) return Plain(web::status::bad_request, target.error().message);
    return shared_.handler({.method = std::string(request.method_string()),
                            .path = std::move(target->path),
                            .query = std::move(target->query)});
  }

  void Write(Response response, bool keep) {
    message_ = {};
    message_.result(static_cast<unsigned>(response.status));
    message_.version(parser_->get().version() == 10 ? 10 : 11);
    message_.keep_alive(keep);
    message_.set(web::field::content_type, response.content_type);
    if (message_.result() == web::status::method_not_allowed) {
      message_.set(web::field::allow, "GET, HEAD");
    }
    message_.content_length(response.body.size());
    const bool head = parser_->get().method() == web::verb::head;
    if (!head) message_.body() = std::move(response.body);
    stream_.expires_after(shared_.limits.idle);
    web::async_write(stream_, message_,
                     [self = shared_from_this(), keep](error_code error, std::size_t) {
                       self->OnWritten(error, keep);
                     });
  }

  void OnWritten(error_code error, bool keep) {
    if (error) return;
    if (keep) return Read();
    (void)stream_.socket().shutdown(Socket::shutdown_send, error);
  }

  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<web::request_parser<web::empty_body>> parser_;
  web::response<web::string_body> message_;
  Shared& shared_;
};

// Tells one client too many that it is, without keeping it.
void TurnAway(Socket& socket) {
  error_code ignored;
  (void)socket.non_blocking(true, ignored);
  (void)socket.send(asio::buffer(kBusy), 0, ignored);
  (void)socket.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace

class Server::Impl {
 public:
  Impl(Listening listening, const ServerLimits& limits, Handler handler)
      : shared_{.limits = limits, .handler = std::move(handler)},
        listening_(std::move(listening)),
        acceptor_(io_),
        pause_(io_) {}

  ~Impl() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
    if (!listening_.path.empty()) (void)::unlink(listening_.path.c_str());
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  base::Status Start() {
    error_code error;
    const int fd = ::fcntl(listening_.fd.get(), F_DUPFD_CLOEXEC, 0);
    (void)acceptor_.assign(Protocol(listening_.family, 0), fd, error);
    if (error) return base::Error{base::ErrorCode::kInternal, "listen: " + error.message()};
    listening_.fd = base::UniqueFd();
    Accept();
    // A thread inherits the mask of the one that starts it: the process's signals stay outside.
    sigset_t all{};
    sigset_t before{};
    (void)::sigfillset(&all);
    (void)::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { Run(); });
    (void)::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return base::Done{};
  }

  int port() const { return listening_.port; }

 private:
  // An answer that cannot be made (no memory for it) costs its connection, not the program.
  void Run() {
    for (;;) {
      try {
        io_.run();
        return;
      } catch (const std::exception&) {
        continue;
      }
    }
  }

  void Accept() {
    acceptor_.async_accept([this](error_code error, Socket socket) {
      if (error) return Pause();
      Accept();
      (void)::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
      if (shared_.open >= shared_.limits.connections) return TurnAway(socket);
      std::make_shared<Session>(std::move(socket), shared_)->Read();
    });
  }

  // Out of descriptors: the next connection may be taken when one was given back.
  void Pause() {
    pause_.expires_after(std::chrono::milliseconds(100));
    pause_.async_wait([this](error_code) { Accept(); });
  }

  Shared shared_;  // before io_: what is still pending there refers to it
  Listening listening_;
  asio::io_context io_{1};
  Acceptor acceptor_;
  asio::steady_timer pause_;
  std::thread thread_;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

int Server::port() const {
  return impl_->port();
}

base::Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler handler) {
  auto listening = Listen(options.address);
  if (!listening.ok()) return listening.error();
  auto impl = std::make_unique<Impl>(std::move(*listening), options.limits, std::move(handler));
  if (auto started = impl->Start(); !started.ok()) return started.error();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

}  // namespace ebb::http
