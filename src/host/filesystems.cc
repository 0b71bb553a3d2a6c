#include "host/filesystems.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>

namespace ebb::host {
namespace {

base::Error SystemError(int code) {
  return {base::ErrorCode::kInternal, std::strerror(code)};
}

std::int64_t Clamp(std::uint64_t value) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(value, kMax));
}

image::Filesystem Problem(const std::string& mountpoint, std::string problem) {
  image::Filesystem fs;
  fs.mountpoint = mountpoint;
  fs.path = mountpoint;
  fs.problem = std::move(problem);
  return fs;
}

}  // namespace

image::Filesystem ToFilesystem(const std::string& mountpoint, const RawFilesystem& raw) {
  image::Filesystem fs;
  fs.mountpoint = mountpoint;
  fs.path = raw.path;
  fs.device = std::to_string(raw.device_major) + ":" + std::to_string(raw.device_minor);
  fs.inodes = Clamp(raw.inodes);
  fs.inodes_free = std::min(Clamp(raw.inodes_free), fs.inodes);
  const std::uint64_t available = std::min(raw.blocks_available, raw.blocks);
  if (__builtin_mul_overflow(raw.fragment_size, raw.blocks, &fs.capacity.count)) {
    fs.capacity = {};
    fs.problem = "reports an impossible size";
  } else if (fs.capacity.count == 0) {
    fs.problem = "reports a capacity of 0";
  } else {
    fs.available.count = static_cast<std::int64_t>(raw.fragment_size * available);
  }
  return fs;
}

base::Result<RawFilesystem> ProbeFilesystem(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr),
                                                             &std::free);
  if (resolved == nullptr) return SystemError(errno);
  struct stat status{};
  if (::stat(resolved.get(), &status) != 0) return SystemError(errno);
  struct statvfs numbers{};
  if (::statvfs(resolved.get(), &numbers) != 0) return SystemError(errno);
  RawFilesystem raw;
  raw.path = resolved.get();
  raw.device_major = gnu_dev_major(status.st_dev);
  raw.device_minor = gnu_dev_minor(status.st_dev);
  raw.fragment_size = numbers.f_frsize;
  raw.blocks = numbers.f_blocks;
  raw.blocks_available = numbers.f_bavail;
  raw.inodes = numbers.f_files;
  raw.inodes_free = numbers.f_ffree;
  return raw;
}

// A thread that waits for a dead NFS server can be neither cancelled nor joined, so it is let go:
// it owns all it touches, and there is at most one per path.
base::Result<SystemFilesystems::Answer> SystemFilesystems::Ask(const std::string& path) const {
  std::packaged_task<base::Result<RawFilesystem>()> task(
      [probe = probe_, path] { return probe(path); });
  Answer answer = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error& failure) {
    return base::Error{base::ErrorCode::kInternal, failure.what()};
  }
  return answer;
}

image::Filesystem SystemFilesystems::Measure(const std::string& path) {
  const auto late = overdue_.find(path);
  if (late != overdue_.end()) {
    if (late->second.wait_for(base::Duration::zero()) != std::future_status::ready) {
      return Problem(path, "still does not answer");
    }
    overdue_.erase(late);  // it answers again; what it said is old
  }
  auto answer = Ask(path);
  if (!answer.ok()) return Problem(path, answer.error().message);
  if (answer->wait_for(limit_) != std::future_status::ready) {
    overdue_.insert_or_assign(path, std::move(*answer));
    return Problem(path, "did not answer within " + base::FormatDuration(limit_));
  }
  const auto raw = answer->get();
  return raw.ok() ? ToFilesystem(path, *raw) : Problem(path, raw.error().message);
}

}  // namespace ebb::host
