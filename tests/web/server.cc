#include "web/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <sys/socket.h>

#include <array>
#include <csignal>

namespace ebb::web {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

Bio Reader(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

std::shared_ptr<X509> Certificate(const std::string& pem) {
  return {PEM_read_bio_X509(Reader(pem).get(), nullptr, nullptr, nullptr), X509_free};
}

std::shared_ptr<SSL_CTX> Context(const Identity& identity, const std::string& client_ca) {
  if (identity.key.empty()) return nullptr;
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  const std::shared_ptr<EVP_PKEY> key(
      PEM_read_bio_PrivateKey(Reader(identity.key).get(), nullptr, nullptr, nullptr),
      EVP_PKEY_free);
  (void)SSL_CTX_use_certificate(context.get(), Certificate(identity.certificate).get());
  (void)SSL_CTX_use_PrivateKey(context.get(), key.get());
  if (client_ca.empty()) return context;
  (void)X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), Certificate(client_ca).get());
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return context;
}

int Read(int fd, SSL* tls, char* bytes, int size) {
  if (tls != nullptr) return SSL_read(tls, bytes, size);
  return static_cast<int>(::recv(fd, bytes, static_cast<std::size_t>(size), 0));
}

bool Write(int fd, SSL* tls, const std::string& bytes) {
  const auto size = bytes.size();
  if (tls != nullptr) return SSL_write(tls, bytes.data(), static_cast<int>(size)) > 0;
  return ::send(fd, bytes.data(), size, 0) == static_cast<ssize_t>(size);
}

void BlockPipeSignal() {
  sigset_t mask{};
  (void)sigemptyset(&mask);
  (void)sigaddset(&mask, SIGPIPE);
  (void)pthread_sigmask(SIG_BLOCK, &mask, nullptr);
}

}  // namespace

std::string Status(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " Word\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string Ok(const std::string& body) {
  return Status(200, body);
}

TestServer::TestServer(Talk talk, const Identity& identity, const std::string& client_ca)
    : talk_(std::move(talk)),
      context_(Context(identity, client_ca)),
      listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  (void)::bind(listening_.get(), any, length);
  (void)::listen(listening_.get(), 16);
  (void)::getsockname(listening_.get(), any, &length);
  port_ = ntohs(address.sin_port);
  accepting_ = std::jthread([this] { Accept(); });
}

TestServer::~TestServer() {
  (void)::shutdown(listening_.get(), SHUT_RDWR);
  accepting_.join();
  const base::MutexLock lock(mutex_);
  for (const auto& socket : sockets_) (void)::shutdown(socket.get(), SHUT_RDWR);
}

std::string TestServer::url() const {
  return (context_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port_);
}

std::vector<std::string> TestServer::heard() const {
  const base::MutexLock lock(mutex_);
  return heard_;
}

int TestServer::connections() const {
  const base::MutexLock lock(mutex_);
  return static_cast<int>(sockets_.size());
}

void TestServer::Accept() {
  BlockPipeSignal();
  for (;;) {
    const int fd = ::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const base::MutexLock lock(mutex_);
    sockets_.emplace_back(fd);
    talkers_.emplace_back([this, fd] { Serve(fd); });
  }
}

void TestServer::Serve(int fd) {
  std::shared_ptr<SSL> tls;
  if (context_) {
    tls = std::shared_ptr<SSL>(SSL_new(context_.get()), SSL_free);
    (void)SSL_set_fd(tls.get(), fd);
    if (SSL_accept(tls.get()) != 1) {
      (void)::shutdown(fd, SHUT_RDWR);
      return;
    }
  }
  Converse(fd, tls.get());
  (void)::shutdown(fd, SHUT_RDWR);
}

void TestServer::Converse(int fd, SSL* tls) {
  std::string pending;
  std::array<char, 4096> bytes{};
  for (;;) {
    const int got = Read(fd, tls, bytes.data(), static_cast<int>(bytes.size()));
    if (got <= 0) return;
    pending.append(bytes.data(), static_cast<std::size_t>(got));
    if (!pending.ends_with("\r\n\r\n")) continue;
    {
      const base::MutexLock lock(mutex_);
      heard_.push_back(pending);
    }
    const std::string answer = talk_(pending);
    pending.clear();
    if (answer.empty() || !Write(fd, tls, answer)) return;
    if (answer.find("Connection: close") != std::string::npos) return;
  }
}

}  // namespace ebb::web
