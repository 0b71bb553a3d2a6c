#include "kube/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/unique_fd.h"

namespace ebb::kube {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

base::Error Cannot(const std::string& path, const std::string& why, int error = 0) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return {missing ? base::ErrorCode::kNotFound : base::ErrorCode::kInternal,
          "read " + path + ": " + why};
}

}  // namespace

base::Result<std::string> ReadFile(const std::string& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return Cannot(path, std::strerror(errno), errno);
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return Cannot(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return Cannot(path, "it is not a regular file");
  std::string text(kMaxBytes + 1, '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const auto got = ::read(fd.get(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Cannot(path, std::strerror(errno));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length > kMaxBytes) return Cannot(path, "it is larger than 1 MiB");
  text.resize(length);
  text.shrink_to_fit();
  return text;
}

base::Result<std::vector<std::string>> ManifestsIn(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (const std::filesystem::directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with('.')) continue;
    std::error_code gone;
    if (!entry->is_directory(gone)) paths.push_back(entry->path().string());
  }
  if (error) return Cannot(directory, error.message(), error.value());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace ebb::kube
