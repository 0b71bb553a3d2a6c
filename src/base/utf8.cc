#include "base/utf8.h"

namespace ebb::base {
namespace {

struct Lead {
  std::size_t length;
  unsigned char second_low;  // the range of the second byte excludes overlong forms and surrogates
  unsigned char second_high;
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte < 0xf0) {
    const unsigned char low = byte == 0xe0 ? 0xa0 : 0x80;
    const unsigned char high = byte == 0xed ? 0x9f : 0xbf;
    return {3, low, high};
  }
  if (byte < 0xf5) {
    const unsigned char low = byte == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = byte == 0xf4 ? 0x8f : 0xbf;
    return {4, low, high};
  }
  return {0, 0, 0};
}

}  // namespace

std::size_t Utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const Lead lead = LeadOf(byte(0));
  if (lead.length <= 1) return lead.length;
  if (text.size() < lead.length) return 0;
  if (byte(1) < lead.second_low || byte(1) > lead.second_high) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return lead.length;
}

}  // namespace ebb::base
