#include "host/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/unique_fd.h"

namespace ebb::host {
namespace {

base::Error Cannot(const std::string& path, const std::string& why,
                   base::ErrorCode code = base::ErrorCode::kInternal) {
  return {code, "read " + path + ": " + why};
}

// Up to `limit` bytes; files of /proc have size 0, so the size is no guide.
base::Result<std::string> ReadUpTo(int fd, std::size_t limit) {
  std::string content;
  for (;;) {
    const std::size_t had = content.size();
    content.resize(std::min(limit, had + 4096));
    const auto got = ::read(fd, content.data() + had, content.size() - had);
    if (got < 0 && errno != EINTR) {
      return base::Error{base::ErrorCode::kInternal, std::strerror(errno)};
    }
    content.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0 || content.size() == limit) return content;
  }
}

}  // namespace

base::Result<std::string> ReadSmallFile(const std::string& path, Symlinks symlinks) {
  const int follow = symlinks == Symlinks::kRefuse ? O_NOFOLLOW : 0;
  // O_NONBLOCK: opening a pipe nobody writes to would wait for ever.
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | follow));
  if (!fd.valid()) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return Cannot(path, std::strerror(errno),
                  missing ? base::ErrorCode::kNotFound : base::ErrorCode::kInternal);
  }
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return Cannot(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return Cannot(path, "it is not a regular file");
  auto content = ReadUpTo(fd.get(), kMaxSmallFile + 1);
  if (!content.ok()) return Cannot(path, content.error().message);
  if (content->size() > kMaxSmallFile) return Cannot(path, "it is larger than 1 MiB");
  return content;
}

}  // namespace ebb::host
