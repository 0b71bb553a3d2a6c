#include "node/volume.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <filesystem>
#include <set>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"
#include "node/process.h"

namespace ebb::node {
namespace {

struct Space {
  base::Bytes capacity;
  base::Bytes available;
};

base::Error Failed(const std::string& what, int number) {
  return {base::ErrorCode::kInternal, what + ": " + std::strerror(number)};
}

base::Result<Space> SpaceOf(const std::string& path) {
  struct statvfs facts{};
  if (::statvfs(path.c_str(), &facts) != 0) return Failed("statvfs " + path, errno);
  const auto bytes = [&facts](fsblkcnt_t blocks) {
    return base::Bytes{static_cast<std::int64_t>(blocks * facts.f_frsize)};
  };
  return Space{bytes(facts.f_blocks), bytes(facts.f_bavail)};
}

std::string FillerOf(const std::string& directory) {
  return directory + "/filler";
}

// The file is gone from its folder as soon as the loop device holds it: whatever happens to this
// process, the space comes back with the mount.
base::Status MountExt4(const std::string& directory, const VolumeSpec& spec) {
  const char* folder = std::getenv("TMPDIR");
  std::string file = std::string(folder != nullptr ? folder : "/tmp") + "/ebb-disk-XXXXXX";
  const base::UniqueFd disk(::mkostemp(file.data(), O_CLOEXEC));
  if (!disk.valid()) return Failed("make " + file, errno);
  base::Result<std::string> result = std::string();
  if (::ftruncate(disk.get(), spec.size.count) != 0) {
    result = Failed("size " + file, errno);
  } else {
    result = Run({"mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=1", "-b",
                  std::to_string(spec.block.count), file});
  }
  if (result.ok()) result = Run({"mount", "-o", "loop", file, directory});
  ::unlink(file.c_str());
  if (!result.ok()) return result.error();
  return base::Done{};
}

base::Status MountTmpfs(const std::string& directory, base::Bytes size) {
  const std::string options = "mode=755,size=" + std::to_string(size.count);
  if (::mount("ebb-node", directory.c_str(), "tmpfs", 0, options.c_str()) != 0) {
    return Failed("mount tmpfs on " + directory, errno);
  }
  return base::Done{};
}

}  // namespace

base::Result<std::unique_ptr<Volume>> Volume::Mount(const std::string& directory,
                                                    const VolumeSpec& spec) {
  constexpr mode_t kMode = 0755;
  if (::mkdir(directory.c_str(), kMode) != 0 && errno != EEXIST) {
    return Failed("make " + directory, errno);
  }
  Filesystem kind = spec.kind;
  if (kind == Filesystem::kExt4 && !MountExt4(directory, spec).ok()) {
    kind = Filesystem::kTmpfs;
  }
  if (kind == Filesystem::kTmpfs) {
    if (const base::Status mounted = MountTmpfs(directory, spec.size); !mounted.ok()) {
      return mounted.error();
    }
  }
  return std::unique_ptr<Volume>(new Volume(directory, kind));
}

Volume::~Volume() {
  ::umount2(directory_.c_str(), MNT_DETACH);
}

base::Result<base::Percent> Used(const std::string& path) {
  const base::Result<Space> space = SpaceOf(path);
  if (!space.ok()) return space.error();
  return base::UsedPercent(space->capacity, space->available);
}

namespace {

// Makes a file of all the room there is.
base::Status Exhaust(const std::string& file) {
  constexpr mode_t kMode = 0600;
  constexpr off_t kLargest = off_t{64} << 20;
  const base::UniqueFd filler(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kMode));
  if (!filler.valid()) return Failed("make " + file, errno);
  off_t end = 0;
  for (off_t step = kLargest; step > 0;) {
    const int failure = ::posix_fallocate(filler.get(), end, step);
    if (failure == 0) {
      end += step;
    } else if (failure == ENOSPC) {
      step /= 2;
    } else if (failure != EINTR) {
      return Failed("fill " + file, failure);
    }
  }
  return base::Done{};
}

}  // namespace

base::Status FillTo(const std::string& directory, base::Percent target) {
  RemoveFiller(directory);
  const base::Result<Space> before = SpaceOf(directory);
  if (!before.ok()) return before.error();
  // To the last block: what a filesystem keeps for itself, others find only by asking.
  if (target.value == 100) return Exhaust(FillerOf(directory));
  // Half a per cent above the lower edge: the filesystem's own records do not tip it over.
  const base::Bytes aim =
      base::AvailableAt(before->capacity, target) + base::Bytes{before->capacity.count / 200};
  const base::Bytes size = before->available - aim;
  const std::string file = FillerOf(directory);
  constexpr mode_t kMode = 0600;
  const base::UniqueFd filler(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kMode));
  if (!filler.valid()) return Failed("make " + file, errno);
  if (size.count > 0) {
    const int failure = ::posix_fallocate(filler.get(), 0, size.count);
    if (failure != 0) return Failed("fill " + directory, failure);
  }
  const base::Result<base::Percent> used = Used(directory);
  if (!used.ok()) return used.error();
  if (*used == target) return base::Done{};
  return base::Error{base::ErrorCode::kInternal,
                     directory + " is " + std::to_string(used->value) + " % full, not " +
                         std::to_string(target.value) + " %: what it holds already is more"};
}

void RemoveFiller(const std::string& directory) {
  ::unlink(FillerOf(directory).c_str());
}

std::int64_t DiskUsage(const std::string& directory, const std::string& except) {
  constexpr std::int64_t kSector = 512;
  std::int64_t bytes = 0;
  std::set<ino_t> linked;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    struct stat info{};
    if (::lstat(entry.path().c_str(), &info) != 0 || entry.path().extension() == except) continue;
    if (info.st_nlink > 1 && S_ISREG(info.st_mode) && !linked.insert(info.st_ino).second) continue;
    bytes += info.st_blocks * kSector;
  }
  return bytes;
}

}  // namespace ebb::node
