#include "report/yaml.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace ebb::report {
namespace {

using boost::json::value;

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Words that some version of YAML reads as a boolean or null.
bool IsReserved(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords = {"y",   "n",    "yes",   "no",  "on",
                                                      "off", "true", "false", "null"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(kWords, lower) != kWords.end();
}

// A plain scalar begins with a letter or '/' and has nothing in it that could mean something
// else; whatever begins with a digit, sign or dot is quoted rather than examined.
bool IsPlain(std::string_view text) {
  constexpr std::string_view kHarmless = " _./@+-:,()=";
  if (text.empty() || (!IsLetter(text[0]) && text[0] != '/')) return false;
  if (text.back() == ' ' || text.back() == ':' || IsReserved(text)) return false;
  if (text.find(": ") != std::string_view::npos) return false;
  return std::ranges::all_of(text, [&](char c) {
    return IsLetter(c) || (c >= '0' && c <= '9') || kHarmless.find(c) != std::string_view::npos;
  });
}

// A JSON string is a YAML double-quoted scalar.
std::string Scalar(const value& scalar) {
  if (scalar.is_string() && IsPlain(scalar.get_string())) return std::string(scalar.get_string());
  return boost::json::serialize(scalar);
}

bool IsNested(const value& item) {
  return (item.is_object() && !item.get_object().empty()) ||
         (item.is_array() && !item.get_array().empty());
}

void WriteBlock(const value& block, std::size_t indent, std::string& text);

// After "key:" or "-": a scalar on the same line, anything larger below it.
void WriteMember(const value& member, std::size_t indent, std::string& text) {
  if (IsNested(member)) {
    text += '\n';
    WriteBlock(member, indent, text);
  } else {
    text += ' ' + Scalar(member) + '\n';
  }
}

void WriteObject(const boost::json::object& object, std::size_t indent, std::string& text) {
  for (const auto& [key, member] : object) {
    text.append(indent, ' ');
    text += IsPlain(key) ? std::string(key) : boost::json::serialize(key);
    text += ':';
    WriteMember(member, indent + 2, text);
  }
}

// An item that is an object begins on the line of its dash, as kubectl prints it.
void WriteArray(const boost::json::array& array, std::size_t indent, std::string& text) {
  for (const value& item : array) {
    text.append(indent, ' ') += '-';
    if (item.is_object() && IsNested(item)) {
      std::string block;
      WriteObject(item.get_object(), indent + 2, block);
      text += ' ' + block.substr(indent + 2);
    } else {
      WriteMember(item, indent + 2, text);
    }
  }
}

void WriteBlock(const value& block, std::size_t indent, std::string& text) {
  if (block.is_object()) {
    WriteObject(block.get_object(), indent, text);
  } else {
    WriteArray(block.get_array(), indent, text);
  }
}

}  // namespace

std::string WriteYaml(const value& document) {
  if (!IsNested(document)) return Scalar(document) + '\n';
  std::string text;
  WriteBlock(document, 0, text);
  return text;
}

}  // namespace ebb::report
