#include "config/utf8.h"

#include "base/utf8.h"

namespace ebb::config {
namespace {

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
}

}  // namespace

std::optional<std::size_t> FirstNonText(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t length = base::Utf8Length(bytes.substr(at));
    if (length == 0 || IsControl(bytes[at])) return at;
    at += length;
  }
  return std::nullopt;
}

}  // namespace ebb::config
