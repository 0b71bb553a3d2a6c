#include "config/values.h"

#include <charconv>

#include "base/text.h"

namespace ebb::config {
namespace {

constexpr std::size_t kLongestShown = 60;
constexpr auto kLongestDuration = std::chrono::hours(10 * 365 * 24);

}  // namespace

std::optional<int> ReadInt(const YamlNode& node, int low, int high) {
  const std::string_view text = node.text;
  if (node.kind != YamlNode::Kind::kScalar || node.quoted) return std::nullopt;
  if (text.starts_with('-') || (text.starts_with('0') && text.size() > 1)) return std::nullopt;
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': quoted += "\\\""; break;
      case '\\': quoted += "\\\\"; break;
      case '\n': quoted += "\\n"; break;
      case '\r': quoted += "\\r"; break;
      case '\t': quoted += "\\t"; break;
      default: quoted += c;
    }
  }
  return quoted + '"';
}

std::string Shortened(std::string_view text) {
  if (text.size() <= kLongestShown) return base::OneLine(text);
  std::size_t end = kLongestShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return base::OneLine(text.substr(0, end)) + "...";
}

std::string Shown(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kMap: return "a map";
    case YamlNode::Kind::kSequence: return "a list";
    case YamlNode::Kind::kScalar: break;
  }
  const std::string text = Shortened(node.text);
  return node.quoted ? "'\"" + text + "\"'" : "'" + text + "'";
}

std::string ShortDuration(base::Duration duration) {
  std::string text = base::FormatDuration(duration);
  if (text.ends_with("m0s")) text.resize(text.size() - 2);
  if (text.ends_with("h0m")) text.resize(text.size() - 2);
  return text;
}

std::optional<base::Duration> ReadDuration(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar) return std::nullopt;
  const auto duration = base::ParseDuration(node.text);
  if (!duration.ok() || *duration > kLongestDuration) return std::nullopt;
  return *duration;
}

std::optional<std::string> ReadWord(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) return std::nullopt;
  const bool blank = node.text.find_first_of(" \t\r\n") != std::string::npos;
  return blank ? std::nullopt : std::optional(node.text);
}

}  // namespace ebb::config
