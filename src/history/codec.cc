#include "history/codec.h"

#include <array>
#include <cstdint>

namespace ebb::history {
namespace {

// First byte of a packed text.
constexpr char kPlain = 0;   // length (7 bits a byte, low ones first), then the text
constexpr char kDigest = 1;  // "sha256:" and 64 hex digits, as 32 bytes
constexpr char kHex = 2;     // 64 hex digits, as 32 bytes

constexpr std::string_view kAlgorithm = "sha256:";
constexpr std::size_t kHashSize = 32;

int Nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Appends the bytes `hex` stands for; false, with `out` unchanged, if it is not lower-case hex.
bool AppendBytes(std::string_view hex, std::string& out) {
  std::array<char, kHashSize> bytes{};
  if (hex.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = Nibble(hex[2 * i]);
    const int low = Nibble(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  out.append(bytes.data(), bytes.size());
  return true;
}

void AppendHex(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::size_t at = out.size();
  out.resize(at + 2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out[at++] = kDigits[byte >> 4];
    out[at++] = kDigits[byte & 15];
  }
}

void AppendPacked(std::string_view text, std::string& out) {
  const std::size_t start = out.size();
  const bool digest = text.starts_with(kAlgorithm);
  out.push_back(digest ? kDigest : kHex);
  if (AppendBytes(digest ? text.substr(kAlgorithm.size()) : text, out)) return;
  out[start] = kPlain;
  std::size_t size = text.size();
  for (; size > 127; size >>= 7) out.push_back(static_cast<char>((size & 127) | 128));
  out.push_back(static_cast<char>(size));
  out.append(text);
}

std::optional<std::size_t> TakeLength(std::string_view& packed) {
  std::size_t length = 0;
  for (unsigned shift = 0; shift < 35 && !packed.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(packed.front());
    packed.remove_prefix(1);
    length |= static_cast<std::size_t>(byte & 127) << shift;
    if (byte < 128) return length;
  }
  return std::nullopt;
}

// Takes one text off the front of `packed`, which is not empty.
std::optional<std::string> TakeText(std::string_view& packed) {
  const char kind = packed.front();
  packed.remove_prefix(1);
  if (kind != kPlain && kind != kDigest && kind != kHex) return std::nullopt;
  const auto length = kind == kPlain ? TakeLength(packed) : kHashSize;
  if (!length || *length > packed.size()) return std::nullopt;
  const std::string_view body = packed.substr(0, *length);
  packed.remove_prefix(*length);
  if (kind == kPlain) return std::string(body);
  std::string text;
  text.reserve(kAlgorithm.size() + 2 * kHashSize);
  if (kind == kDigest) text = kAlgorithm;
  AppendHex(body, text);
  return text;
}

}  // namespace

std::string Pack(std::string_view text) {
  std::string packed;
  AppendPacked(text, packed);
  return packed;
}

std::optional<std::string> Unpack(std::string_view packed) {
  if (packed.empty()) return std::nullopt;
  auto text = TakeText(packed);
  return packed.empty() ? text : std::nullopt;
}

std::string PackList(std::span<const std::string> texts) {
  std::string packed;
  packed.reserve(texts.size() * (1 + kHashSize));
  for (const auto& text : texts) AppendPacked(text, packed);
  return packed;
}

std::optional<std::vector<std::string>> UnpackList(std::string_view packed) {
  std::vector<std::string> texts;
  texts.reserve(packed.size() / (1 + kHashSize));
  while (!packed.empty()) {
    auto text = TakeText(packed);
    if (!text) return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace ebb::history
