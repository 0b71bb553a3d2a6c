#include "http/target.h"

#include <cctype>
#include <charconv>
#include <optional>

namespace ebb::http {
namespace {

std::optional<char> UnescapedByte(std::string_view digits) {
  unsigned value = 0;
  if (digits.size() != 2) return std::nullopt;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return static_cast<char>(value);
}

std::optional<std::string> Unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain.push_back(text[i]);
      continue;
    }
    const auto byte = UnescapedByte(text.substr(i + 1, 2));
    if (!byte) return std::nullopt;
    plain.push_back(*byte);
    i += 2;
  }
  return plain;
}

// Takes what stands before the next `mark`, or all there is, off the front of `text`.
std::string_view TakeUntil(char mark, std::string_view& text) {
  const auto part = text.substr(0, text.find(mark));
  text.remove_prefix(part.size() < text.size() ? part.size() + 1 : part.size());
  return part;
}

bool IsPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_' ||
         c == '~';
}

}  // namespace

base::Result<Target> ParseTarget(std::string_view text) {
  const base::Error wrong{base::ErrorCode::kUsage, "the target of the request is malformed"};
  if (!text.starts_with('/')) return wrong;
  Target target;
  auto path = Unescaped(TakeUntil('?', text));
  if (!path) return wrong;
  target.path = std::move(*path);
  while (!text.empty()) {
    std::string_view pair = TakeUntil('&', text);
    if (pair.empty()) continue;
    auto key = Unescaped(TakeUntil('=', pair));
    auto value = Unescaped(pair);
    if (!key || !value) return wrong;
    target.query.try_emplace(std::move(*key), std::move(*value));
  }
  return target;
}

std::string Escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (IsPlain(c)) {
      escaped.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    escaped.push_back('%');
    escaped.push_back(kDigits[byte >> 4U]);
    escaped.push_back(kDigits[byte & 15U]);
  }
  return escaped;
}

}  // namespace ebb::http
