// Entries of a USTAR archive.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace ebb::node {

// Takes the next piece of a stream.
using Sink = std::function<void(std::string_view)>;

enum class TarKind : char { kFile = '0', kLink = '2', kFolder = '5' };

struct TarEntry {
  std::string name;  // at most 100 bytes
  TarKind kind = TarKind::kFile;
  std::int64_t size = 0;  // bytes of a file's content, which follows the header
  unsigned mode = 0644;
  std::string target;  // of a link, at most 100 bytes
};

// The 512 bytes before the content; time and owner are 0, so that equal files are equal bytes.
std::string TarHeader(const TarEntry& entry);

// The zeros that follow `size` bytes of content.
std::string TarPadding(std::int64_t size);

// The zeros at the end of an archive.
std::string TarEnd();

// A whole entry at once.
void WriteTarFile(const TarEntry& entry, std::string_view content, const Sink& out);

}  // namespace ebb::node
