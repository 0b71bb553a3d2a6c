#include "host/beneath.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "host/small_file.h"

namespace ebb::host {
namespace {

using base::ErrorCode;

constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// The kubelet's logs lie two deep; a deeper tree than this is somebody's trap.
constexpr int kDeepest = 16;

bool IsOneComponent(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

int OpenByKernel(int parent, const std::string& name) {
  open_how how{};
  how.flags = kFlags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return static_cast<int>(::syscall(SYS_openat2, parent, name.c_str(), &how, sizeof(how)));
}

// The "mnt_id:" line; empty if it cannot be read, which is like no other mount.
std::string MountOf(int fd) {
  const auto text = ReadSmallFile("/proc/self/fdinfo/" + std::to_string(fd));
  if (!text.ok()) return {};
  const std::size_t at = text->find("mnt_id:");
  return at == std::string::npos ? std::string() : text->substr(at, text->find('\n', at) - at);
}

bool OnOneMount(int parent, int child) {
  const std::string mount = MountOf(child);
  return !mount.empty() && mount == MountOf(parent);
}

}  // namespace

base::Error PathError(const std::string& name, int error) {
  ErrorCode code = ErrorCode::kInternal;
  std::string why = std::strerror(error);
  if (error == ENOENT) code = ErrorCode::kNotFound;
  if (error == ELOOP || error == ENOTDIR || error == EXDEV) {
    code = ErrorCode::kRefused;
    why = error == EXDEV ? "it is another mount" : "it is a link or no directory";
  }
  return {code, name + ": " + why};
}

base::Result<base::UniqueFd> Beneath::Open(int parent, const std::string& name) const {
  if (!IsOneComponent(name)) {
    return base::Error{ErrorCode::kRefused, name + ": it is no name of a directory"};
  }
  if (step_ == Step::kKernel) {
    base::UniqueFd opened(OpenByKernel(parent, name));
    if (opened.valid()) return opened;
    // A filter of system calls that does not know this one says EPERM.
    if (errno != ENOSYS && errno != EPERM) return PathError(name, errno);
  }
  base::UniqueFd opened(::openat(parent, name.c_str(), kFlags));
  if (!opened.valid()) return PathError(name, errno);
  if (!OnOneMount(parent, opened.get())) return PathError(name, EXDEV);
  return opened;
}

base::Result<base::UniqueFd> Beneath::OpenPath(int root, std::string_view path) const {
  base::UniqueFd at;
  for (;;) {
    const std::size_t slash = path.find('/');
    auto next = Open(at.valid() ? at.get() : root, std::string(path.substr(0, slash)));
    if (!next.ok() || slash == std::string_view::npos) return next;
    at = std::move(*next);
    path.remove_prefix(slash + 1);
  }
}

base::Result<std::vector<std::string>> NamesIn(int directory) {
  const int fd = ::openat(directory, ".", kFlags);
  if (fd < 0) return PathError(".", errno);
  struct Close {
    void operator()(DIR* stream) const { (void)::closedir(stream); }
  };
  const std::unique_ptr<DIR, Close> stream(::fdopendir(fd));
  if (stream == nullptr) {
    const int why = errno;
    (void)::close(fd);
    return PathError(".", why);
  }
  std::vector<std::string> names;
  for (errno = 0; const dirent* entry = ::readdir(stream.get()); errno = 0) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return PathError(".", errno);
  return names;
}

base::Status Beneath::RemoveTree(int parent, const std::string& name) const {
  return RemoveTree(parent, name, 0);
}

base::Status Beneath::RemoveTree(int parent, const std::string& name, int depth) const {
  if (depth > kDeepest) return base::Error{ErrorCode::kRefused, name + ": too deep"};
  const auto directory = Open(parent, name);
  if (!directory.ok()) return directory.error();
  if (auto emptied = RemoveContent(directory->get(), depth); !emptied.ok()) {
    return emptied.error().In(name);
  }
  if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return base::Done{};
  return PathError(name, errno);
}

base::Status Beneath::RemoveAny(int parent, const std::string& name, int depth) const {
  struct stat status{};
  if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return PathError(name, errno);
  }
  if (S_ISDIR(status.st_mode)) return RemoveTree(parent, name, depth);
  if (::unlinkat(parent, name.c_str(), 0) != 0) return PathError(name, errno);
  return base::Done{};
}

base::Status Beneath::RemoveContent(int directory, int depth) const {
  const auto names = NamesIn(directory);
  if (!names.ok()) return names.error();
  base::Status result = base::Done{};
  for (const std::string& name : *names) {
    base::Status removed = RemoveAny(directory, name, depth + 1);
    // Whoever removes the same at the same time is welcome.
    const bool gone = !removed.ok() && removed.error().code == ErrorCode::kNotFound;
    if (!removed.ok() && !gone && result.ok()) result = std::move(removed);
  }
  return result;
}

}  // namespace ebb::host
