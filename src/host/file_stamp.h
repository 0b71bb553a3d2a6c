// Whether a file has been replaced or written since it was last looked at.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace ebb::host {

// Of what the path leads to, through symlinks: a mounted ConfigMap changes by one of them being
// swapped. All zero: there is no such file.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;  // nanoseconds
  std::int64_t changed = 0;   // nanoseconds
  auto operator<=>(const FileStamp&) const = default;
};

FileStamp StampOf(const std::string& path);

}  // namespace ebb::host
