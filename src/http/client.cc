#include "http/client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "http/dns.h"
#include "http/tls_context.h"
#include "http/url.h"

namespace ebb::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace web = boost::beast::http;
using boost::system::error_code;
using std::chrono::steady_clock;

using Secure = asio::ssl::stream<beast::tcp_stream>;
using Message = web::request<web::empty_body>;

constexpr std::uint32_t kMaxHeader = 64U << 10U;

base::Error Broken(base::ErrorCode code, std::string what) {
  return {code, std::move(what)};
}

base::Error Explained(const error_code& error) {
  if (error == beast::error::timeout) {
    return Broken(base::ErrorCode::kUnavailable, "no answer in time");
  }
  if (error == web::error::body_limit) {
    return Broken(base::ErrorCode::kInternal, "the answer is larger than allowed and was cut off");
  }
  const bool parse = error.category() == web::make_error_code(web::error::bad_value).category();
  if (parse && error != web::error::end_of_stream) {
    return Broken(base::ErrorCode::kInternal,
                  "the answer is no whole HTTP answer: " + error.message());
  }
  const bool tls = error.category() == asio::error::get_ssl_category();
  return Broken(tls ? base::ErrorCode::kInternal : base::ErrorCode::kUnavailable, error.message());
}

// Of "Retry-After: 2"; the form with a date is not what servers of Kubernetes write.
std::optional<base::Duration> SecondsIn(std::string_view text) {
  unsigned seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::chrono::seconds(seconds);
}

// One connection, over TLS or not. Beast's stream below carries the deadline in both cases.
struct Connection {
  explicit Connection(asio::io_context& io) : plain(std::in_place, io) {}
  Connection(asio::io_context& io, asio::ssl::context& tls) : secure(std::in_place, io, tls) {}

  beast::tcp_stream& tcp() { return secure ? secure->next_layer() : *plain; }

  std::optional<Secure> secure;
  std::optional<beast::tcp_stream> plain;
  beast::flat_buffer buffer;
};

}  // namespace

class Client::Impl {
 public:
  Impl(ClientOptions options, Url url) : options_(std::move(options)), url_(std::move(url)) {}

  base::Status Start() { return url_.tls ? Prepare(context_, options_.tls) : base::Done{}; }

  base::Result<Response> Get(const std::string& target, const Headers& headers) {
    deadline_ = steady_clock::now() + options_.timeout;
    const Message message = Ask(target, headers);
    auto answer = Try(message);
    if (!answer.ok()) connection_.reset();
    return answer;
  }

  std::string Where() const { return options_.url; }

 private:
  Message Ask(const std::string& target, const Headers& headers) const {
    Message message(web::verb::get, url_.prefix + target, 11);
    const bool six = url_.host.find(':') != std::string::npos;
    message.set(web::field::host, (six ? "[" + url_.host + "]" : url_.host) + ":" + url_.port);
    message.set(web::field::accept, "application/json");
    message.set(web::field::user_agent, "ebb");
    for (const auto& [name, value] : headers) message.set(name, value);
    return message;
  }

  // A kept connection may have been closed meanwhile: that shows only now, and costs a new one.
  base::Result<Response> Try(const Message& message) {
    if (connection_) {
      auto answer = Exchange(message);
      if (answer.ok() || heard_ || steady_clock::now() >= deadline_) return answer;
    }
    connection_.reset();
    if (auto connected = Connect(); !connected.ok()) return connected.error();
    return Exchange(message);
  }

  base::Status Connect() {
    const auto addresses = AddressesOf(url_.host, {.deadline = deadline_});
    if (!addresses.ok()) return addresses.error();
    std::vector<asio::ip::tcp::endpoint> endpoints;
    endpoints.reserve(addresses->size());
    const auto port = static_cast<std::uint16_t>(std::stoi(url_.port));
    for (const std::string& address : *addresses) {
      error_code error;
      const auto parsed = asio::ip::make_address(address, error);
      if (!error) endpoints.emplace_back(parsed, port);
    }
    if (url_.tls) {
      connection_.emplace(io_, context_);
    } else {
      connection_.emplace(io_);
    }
    const error_code error =
        Wait([&](auto done) { connection_->tcp().async_connect(endpoints, std::move(done)); });
    if (error) return Explained(error).In("connect");
    return url_.tls ? Handshake() : base::Done{};
  }

  base::Status Handshake() {
    SSL* const handle = connection_->secure->native_handle();
    const std::string& name = options_.tls.server_name;
    Expect(handle, name.empty() ? url_.host : name, !options_.tls.insecure);
    const error_code error = Wait([&](auto done) {
      connection_->secure->async_handshake(asio::ssl::stream_base::client, std::move(done));
    });
    if (!error) return base::Done{};
    const std::string distrust = options_.tls.insecure ? "" : Distrust(handle);
    if (distrust.empty()) return Explained(error).In("TLS");
    return Broken(base::ErrorCode::kInternal,
                  "the server's certificate is not trusted: " + distrust);
  }

  base::Result<Response> Exchange(const Message& message) {
    heard_ = false;
    return connection_->secure ? ExchangeOver(*connection_->secure, message)
                               : ExchangeOver(*connection_->plain, message);
  }

  template <class Stream>
  base::Result<Response> ExchangeOver(Stream& stream, const Message& message) {
    const error_code unsent =
        Wait([&](auto done) { web::async_write(stream, message, std::move(done)); });
    if (unsent) return Explained(unsent).In("send");
    web::response_parser<web::string_body> parser;
    parser.header_limit(kMaxHeader);
    parser.body_limit(options_.max_body);
    const error_code unread = Wait(
        [&](auto done) { web::async_read(stream, connection_->buffer, parser, std::move(done)); });
    heard_ = parser.is_header_done() || connection_->buffer.size() > 0;
    if (unread) return Explained(unread).In("read");
    auto answer = parser.release();
    if (!answer.keep_alive()) connection_.reset();
    const auto type = answer[web::field::content_type];
    return Response{.status = static_cast<int>(answer.result_int()),
                    .content_type = std::string(type.data(), type.size()),
                    .body = std::move(answer.body()),
                    .retry_after = SecondsIn(answer[web::field::retry_after])};
  }

  // Runs one asynchronous operation until it is over, which it is at the deadline.
  template <class Start>
  error_code Wait(Start start) {
    connection_->tcp().expires_at(deadline_);
    error_code result;
    io_.restart();
    start([&result](error_code error, auto&&...) { result = error; });
    io_.run();
    return result;
  }

  ClientOptions options_;
  Url url_;
  asio::io_context io_{1};
  asio::ssl::context context_{asio::ssl::context::tls_client};
  std::optional<Connection> connection_;
  steady_clock::time_point deadline_;
  bool heard_ = false;  // the last exchange brought something of an answer
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;

base::Result<std::unique_ptr<Client>> Client::Make(const ClientOptions& options) {
  auto url = ParseUrl(options.url);
  if (!url.ok()) return url.error();
  auto impl = std::make_unique<Impl>(options, std::move(*url));
  if (auto started = impl->Start(); !started.ok()) return started.error();
  return std::unique_ptr<Client>(new Client(std::move(impl)));
}

base::Result<Response> Client::Get(const std::string& target, const Headers& headers) {
  bool safe = target.starts_with('/') && target.find_first_of(" \r\n") == std::string::npos;
  for (const auto& [name, value] : headers) {
    safe = safe && value.find_first_of("\r\n") == std::string::npos;
  }
  if (!safe) return Broken(base::ErrorCode::kUsage, "not fit for a request: target or header");
  try {
    auto answer = impl_->Get(target, headers);
    if (!answer.ok()) return answer.error().In(impl_->Where());
    return answer;
  } catch (const std::exception& failure) {
    return Broken(base::ErrorCode::kInternal, failure.what()).In(impl_->Where());
  }
}

}  // namespace ebb::http
