#include "base/text.h"

#include <algorithm>

namespace ebb::base {

std::string OneLine(std::string_view text) {
  std::string line(text);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  std::ranges::replace_if(line, control, ' ');
  return line;
}

std::string Count(std::size_t number, std::string_view noun) {
  std::string text = std::to_string(number).append(" ").append(noun);
  if (number != 1) text += 's';
  return text;
}

}  // namespace ebb::base
