#include "host/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/unique_fd.h"

namespace ebb::host {
namespace {

constexpr base::Duration kPause = std::chrono::milliseconds(100);

class Held : public engine::RunLock::Guard {
 public:
  explicit Held(base::UniqueFd fd) : fd_(std::move(fd)) {}

 private:
  base::UniqueFd fd_;
};

base::Error Refused(std::string message) {
  return {base::ErrorCode::kRefused, std::move(message)};
}

// Fails where it exists already or cannot be: opening the file in it tells which.
void MakeDirectory(const std::filesystem::path& directory) {
  std::error_code ignored;
  (void)std::filesystem::create_directories(directory.parent_path(), ignored);
  (void)::mkdir(directory.c_str(), 0700);
}

// Written by the holder, read by those it keeps out. On a full disk it may stay empty: the lock
// holds all the same.
void Sign(int fd, const std::string& command, base::TimePoint now) {
  const std::string text = "pid " + std::to_string(::getpid()) + " ('" + command + "') since " +
                           base::FormatTime(now) + "\n";
  if (::ftruncate(fd, 0) == 0) (void)::pwrite(fd, text.data(), text.size(), 0);
}

std::string Holder(int fd) {
  std::array<char, 4096> text{};
  const auto size = ::pread(fd, text.data(), text.size(), 0);
  std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  holder.resize(std::min(holder.size(), holder.find('\n')));
  return holder.empty() ? "another process that did not say who it is" : holder;
}

// True: locked. False: somebody else holds it.
base::Result<bool> TryLock(int fd) {
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return Refused(std::strerror(errno));
  }
  return true;
}

}  // namespace

base::Result<std::unique_ptr<engine::RunLock::Guard>> FileRunLock::Acquire() {
  const std::string path = options_.directory + "/lock";
  MakeDirectory(options_.directory);
  base::UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) {
    return Refused("the lock " + path + " cannot be opened (" + std::strerror(errno) +
                   "), so another ebb may be removing images; run as root, or name a state "
                   "directory that can be written");
  }
  const base::Duration start = clock_.Elapsed();
  for (;;) {
    const auto locked = TryLock(fd.get());
    if (!locked.ok()) return locked.error().In("lock " + path);
    if (*locked) break;
    const bool stopped = options_.stop != nullptr && *options_.stop;
    if (stopped || clock_.Elapsed() - start >= options_.wait) {
      return Refused("another ebb is removing images on this node: " + Holder(fd.get()) +
                     " holds the lock " + path + "; wait until it is done");
    }
    clock_.SleepFor(kPause);
  }
  Sign(fd.get(), options_.command, clock_.Now());
  return std::unique_ptr<Guard>(std::make_unique<Held>(std::move(fd)));
}

std::string IdentityOf(const std::string& directory) {
  struct stat info{};
  if (::stat(directory.c_str(), &info) != 0) return {};
  return std::to_string(info.st_dev) + "-" + std::to_string(info.st_ino);
}

}  // namespace ebb::host
