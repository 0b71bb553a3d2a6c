#include "http/tls_context.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <boost/asio/buffer.hpp>

#include "http/url.h"

namespace ebb::http {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

base::Error Unusable(const std::string& what, const error_code& error = {}) {
  return {base::ErrorCode::kUsage, error ? what + ": " + error.message() : what};
}

base::Status Trust(ssl::context& context, const std::string& ca) {
  error_code error;
  if (ca.empty()) {
    (void)context.set_default_verify_paths(error);
    return base::Done{};
  }
  (void)context.add_certificate_authority(boost::asio::buffer(ca), error);
  const X509_STORE* store = ::SSL_CTX_get_cert_store(context.native_handle());
  const bool empty = sk_X509_OBJECT_num(::X509_STORE_get0_objects(store)) == 0;
  if (error || empty) return Unusable("the CA holds no certificate in PEM form", error);
  return base::Done{};
}

base::Status Identify(ssl::context& context, const Tls& tls) {
  if (tls.certificate.empty() != tls.key.empty()) {
    return Unusable("a client certificate needs both, certificate and key");
  }
  if (tls.certificate.empty()) return base::Done{};
  error_code error;
  // Without this a key that is locked asks for its password on the terminal.
  (void)context.set_password_callback(
      [](std::size_t, ssl::context::password_purpose) { return std::string(); }, error);
  (void)context.use_certificate_chain(boost::asio::buffer(tls.certificate), error);
  if (error) return Unusable("the client certificate cannot be used", error);
  (void)context.use_private_key(boost::asio::buffer(tls.key), ssl::context::pem, error);
  if (error) return Unusable("the client key cannot be used", error);
  return base::Done{};
}

}  // namespace

base::Status Prepare(ssl::context& context, const Tls& tls) {
  SSL_CTX* handle = context.native_handle();
  (void)SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
  ::SSL_CTX_set_verify(handle, tls.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  // A server's own certificate may be what is trusted: the kubelet's is often signed by itself.
  (void)::X509_VERIFY_PARAM_set_flags(::SSL_CTX_get0_param(handle), X509_V_FLAG_PARTIAL_CHAIN);
  if (auto trusted = Trust(context, tls.ca); !trusted.ok()) return trusted.error();
  return Identify(context, tls);
}

void Expect(SSL* connection, std::string name, bool verify) {
  X509_VERIFY_PARAM* rules = ::SSL_get0_param(connection);
  const bool address = IsAddress(name);
  if (!address) {  // as SSL_set_tlsext_host_name() does, which is a macro with a cast
    (void)::SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                     name.data());
  }
  if (!verify) return;
  const int set = address ? ::X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str())
                          : ::X509_VERIFY_PARAM_set1_host(rules, name.c_str(), name.size());
  // An expectation that cannot be set must fail, never pass.
  if (set != 1)
    ::SSL_set_verify(connection, SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 0; });
}

std::string Distrust(SSL* connection) {
  const long result = ::SSL_get_verify_result(connection);
  return result == X509_V_OK ? "" : ::X509_verify_cert_error_string(result);
}

}  // namespace ebb::http
