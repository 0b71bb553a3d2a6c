// Certificates made on the spot, for tests of TLS.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace ebb::web {

// Both as PEM text.
struct Identity {
  std::string certificate;
  std::string key;
};

class Authority {
 public:
  Authority();
  std::string certificate() const;
  // `names` as OpenSSL writes them: "IP:127.0.0.1,DNS:localhost". Negative days: expired.
  Identity Issue(const std::string& names, int days = 1) const;

 private:
  std::shared_ptr<EVP_PKEY> key_;
  std::shared_ptr<X509> certificate_;
};

// As a kubelet without a CA has it: signed by itself, and no CA.
Identity SelfSigned(const std::string& names);

}  // namespace ebb::web
