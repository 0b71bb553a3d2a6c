#include "node/digest.h"

#include <openssl/evp.h>

#include <array>

namespace ebb::node {

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_, EVP_sha256(), nullptr);
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(context_);
}

void Sha256::Add(std::string_view data) {
  EVP_DigestUpdate(context_, data.data(), data.size());
}

std::string Sha256::Digest() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned int size = 0;
  EVP_DigestFinal_ex(context_, raw.data(), &size);
  std::string text = "sha256:";
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[raw[i] >> 4U];
    text += kDigits[raw[i] & 0xFU];
  }
  return text;
}

std::string DigestOf(std::string_view data) {
  Sha256 hash;
  hash.Add(data);
  return hash.Digest();
}

}  // namespace ebb::node
