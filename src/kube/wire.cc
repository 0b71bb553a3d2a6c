#include "kube/wire.h"

namespace ebb::kube {
namespace {

enum Type : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

constexpr std::uint64_t kTypeBits = 3;
constexpr std::uint64_t kMaxField = (std::uint64_t{1} << 29U) - 1;

// Little-endian.
std::uint64_t Fixed(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    number = (number << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

}  // namespace

bool Wire::Next() {
  bytes_.reset();
  number_.reset();
  if (!ok_ || rest_.empty()) return false;
  const auto tag = Varint();
  if (!tag) return Fail();
  field_ = *tag >> kTypeBits;
  if (field_ == 0 || field_ > kMaxField) return Fail();
  switch (*tag & ((1U << kTypeBits) - 1)) {
    case kVarint: number_ = Varint(); break;
    case kBytes:
      if (const auto size = Varint()) bytes_ = Take(*size);
      break;
    case kFixed64:
      if (const auto bytes = Take(8)) number_ = Fixed(*bytes);
      break;
    case kFixed32:
      if (const auto bytes = Take(4)) number_ = Fixed(*bytes);
      break;
    default: break;  // groups are of old, and no server of Kubernetes writes them
  }
  return bytes_ || number_ || Fail();
}

std::string_view Wire::Bytes() {
  if (!bytes_) ok_ = false;
  return bytes_.value_or("");
}

std::uint64_t Wire::Number() {
  if (!number_) ok_ = false;
  return number_.value_or(0);
}

bool Wire::Fail() {
  ok_ = false;
  return false;
}

std::optional<std::uint64_t> Wire::Varint() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return number;
  }
  return std::nullopt;
}

std::optional<std::string_view> Wire::Take(std::uint64_t size) {
  if (size > rest_.size()) return std::nullopt;
  const auto taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

}  // namespace ebb::kube
