#include "host/file_stamp.h"

#include <sys/stat.h>

namespace ebb::host {
namespace {

std::int64_t Nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileStamp StampOf(const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return {};
  return {.device = about.st_dev,
          .inode = about.st_ino,
          .size = about.st_size,
          .modified = Nanoseconds(about.st_mtim),
          .changed = Nanoseconds(about.st_ctim)};
}

}  // namespace ebb::host
