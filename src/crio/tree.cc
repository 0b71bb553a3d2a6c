#include "crio/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "base/unique_fd.h"

namespace ebb::crio {
namespace {

// Each open folder takes a descriptor, of which a process commonly has 1024.
constexpr int kDeepest = 500;

base::Error Failed(const std::string& name) {
  const bool gone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
  return {gone ? base::ErrorCode::kNotFound : base::ErrorCode::kInternal,
          "measure " + name + ": " + std::strerror(errno)};
}

struct CloseFolder {
  void operator()(DIR* folder) const { (void)::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

class Walk {
 public:
  explicit Walk(dev_t device) : device_(device) {}

  base::Status Add(int parent, const std::string& name, int depth) {
    struct stat info{};
    if (::fstatat(parent, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return Failed(name);
    if (info.st_dev != device_) {
      usage_.mounted = true;
      return base::Done{};
    }
    if (!S_ISDIR(info.st_mode) && info.st_nlink > 1 && !First(info)) return base::Done{};
    constexpr std::int64_t kSector = 512;  // of st_blocks, whatever the filesystem's blocks are
    usage_.disk.count += std::int64_t{info.st_blocks} * kSector;
    return S_ISDIR(info.st_mode) ? AddAllIn(parent, name, depth) : base::Status(base::Done{});
  }

  TreeUsage Finish() && {
    for (const auto& [inode, names] : names_left_) usage_.linked = usage_.linked || names > 0;
    return usage_;
  }

 private:
  // Whether this is the first name met of a file that has several.
  bool First(const struct stat& info) {
    const auto [at, first] = names_left_.try_emplace(info.st_ino, info.st_nlink);
    --at->second;
    return first;
  }

  base::Status AddAllIn(int parent, const std::string& name, int depth) {
    if (depth == kDeepest) {
      return base::Error{base::ErrorCode::kInternal, "measure " + name + ": it is too deep"};
    }
    const int fd = ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return Failed(name);
    const Folder folder(::fdopendir(fd));
    if (folder == nullptr) {
      const base::UniqueFd closing(fd);
      return Failed(name);
    }
    for (errno = 0; const dirent* entry = ::readdir(folder.get()); errno = 0) {
      const std::string child = static_cast<const char*>(entry->d_name);
      if (child == "." || child == "..") continue;
      if (auto added = Add(fd, child, depth + 1); !added.ok()) return added;
    }
    return errno == 0 ? base::Status(base::Done{}) : base::Status(Failed(name));
  }

  dev_t device_;
  TreeUsage usage_;
  std::map<ino_t, nlink_t> names_left_;  // of files with several: those not met yet
};

}  // namespace

base::Result<TreeUsage> MeasureTree(int parent, const std::string& name) {
  struct stat info{};
  if (::fstatat(parent, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return Failed(name);
  Walk walk(info.st_dev);
  if (const auto added = walk.Add(parent, name, 0); !added.ok()) return added.error();
  return std::move(walk).Finish();
}

}  // namespace ebb::crio
