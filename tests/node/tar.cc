#include "node/tar.h"

namespace ebb::node {
namespace {

constexpr std::size_t kBlock = 512;

std::string Octal(std::uint64_t value, std::size_t digits) {
  std::string text(digits, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value /= 8) {
    *digit = static_cast<char>('0' + value % 8);
  }
  return text;
}

void Put(std::string& header, std::size_t offset, std::string_view value) {
  header.replace(offset, value.size(), value);
}

}  // namespace

std::string TarHeader(const TarEntry& entry) {
  std::string header(kBlock, '\0');
  Put(header, 0, entry.name);
  Put(header, 100, Octal(entry.mode, 7));
  Put(header, 108, Octal(0, 7));
  Put(header, 116, Octal(0, 7));
  Put(header, 124, Octal(static_cast<std::uint64_t>(entry.size), 11));
  Put(header, 136, Octal(0, 11));
  Put(header, 148, "        ");
  header[156] = static_cast<char>(entry.kind);
  Put(header, 157, entry.target);
  Put(header, 257, std::string_view("ustar\00000", 8));
  std::uint64_t sum = 0;
  for (const char letter : header) sum += static_cast<unsigned char>(letter);
  Put(header, 148, Octal(sum, 6) + std::string("\0 ", 2));
  return header;
}

std::string TarPadding(std::int64_t size) {
  const std::size_t rest = static_cast<std::size_t>(size) % kBlock;
  return std::string(rest == 0 ? 0 : kBlock - rest, '\0');
}

std::string TarEnd() {
  return std::string(2 * kBlock, '\0');
}

void WriteTarFile(const TarEntry& entry, std::string_view content, const Sink& out) {
  out(TarHeader(entry));
  out(content);
  out(TarPadding(static_cast<std::int64_t>(content.size())));
}

}  // namespace ebb::node
