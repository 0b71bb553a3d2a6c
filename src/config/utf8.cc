#include "config/utf8.h"

#include <array>
#include <cstdint>

namespace ebb::config {
namespace {

struct Form {
  unsigned char mask;
  unsigned char lead;
  std::size_t length;
  std::uint32_t smallest;  // below it the form is an overlong spelling
};

constexpr std::array kForms = {
    Form{0x80, 0x00, 1, 0},
    Form{0xE0, 0xC0, 2, 0x80},
    Form{0xF0, 0xE0, 3, 0x800},
    Form{0xF8, 0xF0, 4, 0x10000},
};

bool IsAllowed(std::uint32_t point) {
  if (point < 0x20) return point == '\t' || point == '\n' || point == '\r';
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point != 0x7F && !surrogate && point <= 0x10FFFF;
}

// Bytes of the character at the front of `bytes`; 0 if there is no allowed one.
std::size_t CharacterLength(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (const Form& form : kForms) {
    if ((byte(0) & form.mask) != form.lead) continue;
    if (bytes.size() < form.length) return 0;
    std::uint32_t point = byte(0) & static_cast<unsigned char>(~form.mask);
    for (std::size_t i = 1; i < form.length; ++i) {
      if ((byte(i) & 0xC0U) != 0x80U) return 0;
      point = point << 6U | (byte(i) & 0x3FU);
    }
    return point >= form.smallest && IsAllowed(point) ? form.length : 0;
  }
  return 0;
}

}  // namespace

std::optional<std::size_t> FirstNonText(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t length = CharacterLength(bytes.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

}  // namespace ebb::config
