#include "report/text.h"

#include <algorithm>

namespace ebb::report {
namespace {

constexpr std::size_t kLabelWidth = 13;
constexpr std::size_t kShortId = 13;

bool StartsGlyph(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::string_view Escape(Color color) {
  switch (color) {
    case Color::kPlain: return "";
    case Color::kBold: return "\x1b[1m";
    case Color::kDim: return "\x1b[2m";
    case Color::kRed: return "\x1b[31m";
    case Color::kYellow: return "\x1b[33m";
    case Color::kGreen: return "\x1b[32m";
  }
  return "";
}

}  // namespace

std::string Paint(const Style& style, Color color, std::string_view text) {
  if (!style.color || color == Color::kPlain || text.empty()) return std::string(text);
  return std::string(Escape(color)).append(text).append("\x1b[0m");
}

std::string Clean(std::string_view text) {
  std::string clean(text);
  std::ranges::replace_if(
      clean, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return clean;
}

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, StartsGlyph));
}

std::string_view Head(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (StartsGlyph(text[end]) && seen++ == columns) break;
  }
  return text.substr(0, end);
}

std::string_view Tail(std::string_view text, std::size_t columns) {
  const std::size_t width = Width(text);
  if (width <= columns) return text;
  return text.substr(Head(text, width - columns).size());
}

std::string ShortId(std::string_view id, const Style& style) {
  if (style.no_trunc) return std::string(id);
  constexpr std::string_view kAlgorithm = "sha256:";
  if (id.starts_with(kAlgorithm)) id.remove_prefix(kAlgorithm.size());
  return std::string(id.substr(0, kShortId));
}

std::string ShortName(const std::string& name, const Style& style) {
  constexpr std::string_view kDigest = "@sha256:";
  if (name.starts_with(kDigest.substr(1))) return ShortId(name, style);
  const auto at = name.find(kDigest);
  if (style.no_trunc || at == std::string::npos) return name;
  return name.substr(0, at) + "@" + ShortId(name.substr(at + 1), style);
}

std::string Ago(base::TimePoint then, base::TimePoint now) {
  return then == base::kNever ? "-" : base::FormatAge(now - then);
}

std::string Listed(const std::vector<std::string>& items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
    if (i > 0) text += ", ";
    text += items[i];
  }
  if (items.size() > most) text += " and " + std::to_string(items.size() - most) + " more";
  return text;
}

std::string Line(const Style& style, std::string_view label, std::string_view text) {
  std::string padded(label);
  if (!label.empty()) padded += ':';
  padded.resize(std::max(kLabelWidth, padded.size() + 1), ' ');
  return Paint(style, Color::kDim, padded).append(text).append("\n");
}

}  // namespace ebb::report
