// SHA-256 as image formats write it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

// OpenSSL's own name for its hash state.
struct evp_md_ctx_st;

namespace ebb::node {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Add(std::string_view data);
  // "sha256:" and 64 hexadecimal digits, of all that was added. Once only.
  std::string Digest();

 private:
  evp_md_ctx_st* context_;
};

std::string DigestOf(std::string_view data);

}  // namespace ebb::node
