#include "graph/uid.h"

namespace ebb::graph {
namespace {

// No UUID that a server makes has 64 ones in front; what is written so counts as any other text.
constexpr std::uint64_t kNumbered = ~std::uint64_t{0};
constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
constexpr std::string_view kDigits = "0123456789abcdef";

std::optional<Uid> ParseUuid(std::string_view text) {
  if (text.size() != kShape.size()) return std::nullopt;
  Uid uid;
  int digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (kShape[i] == '-') {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const auto digit = kDigits.find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    std::uint64_t& word = uid.words[digits++ < 16 ? 0 : 1];
    word = word << 4U | digit;
  }
  if (uid.words[0] == kNumbered) return std::nullopt;
  return uid;
}

}  // namespace

Uid Uids::Pack(std::string_view text) {
  if (const auto uuid = ParseUuid(text)) return *uuid;
  const auto [known, fresh] = numbers_.try_emplace(std::string(text), texts_.size());
  if (fresh) texts_.emplace_back(text);
  return {{kNumbered, known->second}};
}

std::optional<Uid> Uids::Find(std::string_view text) const {
  if (const auto uuid = ParseUuid(text)) return uuid;
  const auto known = numbers_.find(std::string(text));
  return known == numbers_.end() ? std::nullopt : std::optional<Uid>{{{kNumbered, known->second}}};
}

std::string Uids::Text(const Uid& uid) const {
  if (uid.words[0] == kNumbered) return texts_[uid.words[1]];
  std::string text(kShape);
  int digits = 0;
  for (char& c : text) {
    if (c == '-') continue;
    const std::uint64_t word = uid.words[digits < 16 ? 0 : 1];
    c = kDigits[word >> (60U - 4U * static_cast<unsigned>(digits % 16)) & 15U];
    ++digits;
  }
  return text;
}

}  // namespace ebb::graph
