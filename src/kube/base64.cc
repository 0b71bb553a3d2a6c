#include "kube/base64.h"

#include <algorithm>
#include <cstdint>

namespace ebb::kube {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// 0 for padding, which only ends a text.
std::optional<std::uint32_t> Digit(char c) {
  if (c == '=') return 0;
  const auto digit = kDigits.find(c);
  if (digit == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(digit);
}

std::string WithoutLineEnds(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '\n' || c == '\r'; });
  return plain;
}

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  const std::string digits = WithoutLineEnds(text);
  const std::size_t padding =
      digits.size() - std::min(digits.size(), digits.find_last_not_of('=') + 1);
  const bool whole = digits.size() % 4 == 0 && padding <= 2;
  if (!whole || digits.find('=') < digits.size() - padding) return std::nullopt;
  std::string data;
  data.reserve(digits.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto digit = Digit(digits[i]);
    if (!digit) return std::nullopt;
    bits = (bits << 6U) | *digit;
    if (i % 4 != 3) continue;
    for (const unsigned shift : {16U, 8U, 0U}) data.push_back(static_cast<char>(bits >> shift));
  }
  data.resize(data.size() - padding);
  return data;
}

std::string EncodeBase64(std::string_view data) {
  std::string text;
  text.reserve((data.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < data.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = i; k < i + 3; ++k) {
      bits = (bits << 8U) | (k < data.size() ? static_cast<unsigned char>(data[k]) : 0U);
    }
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text.push_back(kDigits[(bits >> shift) & 63U]);
  }
  const std::size_t padding = (3 - data.size() % 3) % 3;
  return text.replace(text.size() - padding, padding, padding, '=');
}

}  // namespace ebb::kube
