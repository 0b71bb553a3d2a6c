#include "crio/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/unique_fd.h"

namespace ebb::crio {
namespace {

base::Error Cannot(const std::string& path, const std::string& why,
                   base::ErrorCode code = base::ErrorCode::kInternal) {
  return {code, "read " + path + ": " + why};
}

base::ErrorCode CodeOf(int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return missing ? base::ErrorCode::kNotFound : base::ErrorCode::kInternal;
}

std::string TimeOf(const struct stat& info) {
  return std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

bool IsLayerName(const std::string& name) {
  constexpr std::size_t kDigits = 64;
  return name.size() == kDigits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

base::Result<std::string> ReadFile(const std::string& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return Cannot(path, std::strerror(errno), CodeOf(errno));
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return Cannot(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return Cannot(path, "it is not a regular file");
  constexpr off_t kLargest = off_t{512} << 20;
  if (info.st_size > kLargest) return Cannot(path, "it is larger than 512 MiB");
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const auto got = ::read(fd.get(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Cannot(path, std::strerror(errno));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  text.resize(length);
  return text;
}

std::string StampOf(const std::vector<std::string>& paths) {
  std::string stamp;
  for (const std::string& path : paths) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) info = {};
    stamp +=
        std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" + TimeOf(info) + " ";
  }
  return stamp;
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

base::Result<std::vector<LayerFolder>> LayerFolders(const std::string& path) {
  std::vector<LayerFolder> folders;
  std::error_code error;
  std::filesystem::directory_iterator entry(path, error);
  for (const std::filesystem::directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    struct stat info{};
    std::string name = entry->path().filename().string();
    if (!IsLayerName(name)) continue;
    if (::lstat(entry->path().c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) continue;
    folders.push_back({.id = std::move(name), .changed = TimeOf(info)});
  }
  if (error) return Cannot(path, error.message(), CodeOf(error.value()));
  std::ranges::sort(folders, {}, &LayerFolder::id);
  return folders;
}

}  // namespace ebb::crio
