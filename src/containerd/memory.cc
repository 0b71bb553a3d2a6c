#include "containerd/memory.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "containerd/labels.h"

namespace ebb::containerd {
namespace {

// The value of kHoldLabel is this and the number of pieces, each of which is a label of its own.
constexpr std::string_view kVersion = "v1.";
constexpr std::size_t kPiece = 4000;

std::string KeyOf(std::size_t piece) {
  return std::string(kHoldLabel) + "." + std::to_string(piece);
}

void Add(WireLabels& labels, const std::string& key, const std::string& value) {
  auto& label = *labels.Add();
  label.set_key(key);
  label.set_value(value);
}

std::string ToHex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

// All of `text` as a number of that base.
std::optional<std::size_t> ToNumber(std::string_view text, int base) {
  std::size_t number = 0;
  const char* begin = std::to_address(text.begin());
  const char* end = std::to_address(text.end());
  const auto read = std::from_chars(begin, end, number, base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::string> FromHex(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(2, text.size()))) {
    const auto byte = ToNumber(text.substr(0, 2), 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

std::optional<std::size_t> CountOf(std::string_view value) {
  if (!value.starts_with(kVersion)) return std::nullopt;
  return ToNumber(value.substr(kVersion.size()), 10);
}

}  // namespace

void Remember(const held::Held& held, WireLabels& labels) {
  const std::string text = ToHex(held.SerializeAsString());
  std::size_t pieces = 0;
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    Add(labels, KeyOf(pieces++), text.substr(at, kPiece));
  }
  Add(labels, std::string(kHoldLabel), std::string(kVersion) + std::to_string(pieces));
}

std::optional<held::Held> Recall(const WireLabels& labels) {
  std::map<std::string_view, std::string_view> values;
  for (const auto& label : labels) values[label.key()] = label.value();
  const auto count = CountOf(values[kHoldLabel]);
  if (!count) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < *count; ++i) {
    const auto piece = values.find(KeyOf(i));
    if (piece == values.end()) return std::nullopt;
    text += piece->second;
  }
  const auto bytes = FromHex(text);
  held::Held held;
  if (!bytes || !held.ParseFromString(*bytes)) return std::nullopt;
  return held;
}

}  // namespace ebb::containerd
