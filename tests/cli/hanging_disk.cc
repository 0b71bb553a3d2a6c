#include "cli/hanging_disk.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace ebb::cli {
namespace {

base::Error SystemError(const char* what) {
  return {base::ErrorCode::kUnsupported, std::string(what) + ": " + std::strerror(errno)};
}

template <class Body>
void Answer(int fd, std::uint64_t unique, const Body& body) {
  fuse_out_header header{.len = sizeof(header) + sizeof(body), .error = 0, .unique = unique};
  std::array<iovec, 2> parts = {iovec{&header, sizeof(header)},
                                iovec{const_cast<Body*>(&body), sizeof(body)}};
  (void)::writev(fd, parts.data(), parts.size());
}

void Greet(int fd, std::uint64_t unique) {
  fuse_init_out hello{};
  hello.major = FUSE_KERNEL_VERSION;
  hello.minor = 31;  // old enough for every kernel of today
  hello.max_write = 4096;
  Answer(fd, unique, hello);
}

void DescribeRoot(int fd, std::uint64_t unique) {
  fuse_attr_out root{};
  root.attr_valid = 3600;
  root.attr.ino = FUSE_ROOT_ID;
  root.attr.mode = S_IFDIR | 0755;
  root.attr.nlink = 2;
  Answer(fd, unique, root);
}

}  // namespace

base::Status OwnMounts() {
  if (::unshare(CLONE_NEWNS) != 0) return SystemError("unshare");
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return SystemError("mount");
  return base::Done{};
}

base::Result<std::unique_ptr<HangingDisk>> HangingDisk::Mount(const std::string& directory) {
  base::UniqueFd fd(::open("/dev/fuse", O_RDWR | O_CLOEXEC));
  if (!fd.valid()) return SystemError("/dev/fuse");
  const std::string options =
      "fd=" + std::to_string(fd.get()) + ",rootmode=40000,user_id=0,group_id=0";
  if (::mount("ebb-hanging", directory.c_str(), "fuse", 0, options.c_str()) != 0) {
    return SystemError("mount");
  }
  std::unique_ptr<HangingDisk> disk(new HangingDisk(std::move(fd), directory));
  const std::jthread first([&] {
    struct stat root{};
    (void)::stat(directory.c_str(), &root);
  });
  const auto stopped = disk->AnswerUntilStopped();
  if (!stopped.ok()) {
    disk.reset();
    return stopped.error();
  }
  return disk;
}

HangingDisk::~HangingDisk() {
  // Forced: everybody who waits gets an error.
  (void)::umount2(directory_.c_str(), MNT_FORCE);
  (void)::umount2(directory_.c_str(), MNT_DETACH);
}

// Greets the kernel, tells it about the root for an hour, and reads nothing any more. A request
// that was read and not answered could not even be given up by a process that is killed.
base::Status HangingDisk::AnswerUntilStopped() {
  std::array<char, 65536> request{};
  for (;;) {
    const ssize_t size = ::read(fd_.get(), request.data(), request.size());
    if (size < 0 && (errno == EINTR || errno == ENOENT)) continue;
    if (size < 0) return SystemError("read from /dev/fuse");
    fuse_in_header header{};
    std::memcpy(&header, request.data(), sizeof(header));
    if (header.opcode == FUSE_INIT) Greet(fd_.get(), header.unique);
    if (header.opcode != FUSE_GETATTR) continue;
    DescribeRoot(fd_.get(), header.unique);
    return base::Done{};
  }
}

}  // namespace ebb::cli
