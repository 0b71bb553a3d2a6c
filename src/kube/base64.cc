#include "kube/base64.h"

#include <cstdint>

namespace ebb::kube {

std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string data;
  data.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const auto digit = c == '=' ? 0 : kDigits.find(c);
    if (digit == std::string_view::npos || (padding > 0 && c != '=')) return std::nullopt;
    padding += c == '=' ? 1 : 0;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    if (++digits % 4 != 0) continue;
    for (const unsigned shift : {16U, 8U, 0U}) data.push_back(static_cast<char>(bits >> shift));
  }
  if (digits % 4 != 0 || padding > 2) return std::nullopt;
  data.resize(data.size() - padding);
  return data;
}

}  // namespace ebb::kube
